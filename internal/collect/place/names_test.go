package place_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"footfall/internal/collect/place"
)

func TestCityIsOneNameForAllItsParts(t *testing.T) {
	for written, c := range map[string]struct{ country, want string }{
		"Berlin":                              {"DE", "Berlin"},
		"Berlin (Mitte)":                      {"DE", "Berlin"},
		"Frechen (Lindenthal, Cologne)":       {"DE", "Frechen"},
		"Frankfurt am Main":                   {"DE", "Frankfurt am Main"},
		"Frankfurt (Oder)":                    {"DE", "Frankfurt (Oder)"},
		"Frankfurt (Oder) (Kliestow)":         {"DE", "Frankfurt (Oder)"},
		"Freiburg (Elbe) Flecken":             {"DE", "Freiburg"},
		"Paris":                               {"FR", "Paris"},
		"Paris 01":                            {"FR", "Paris"},
		"Paris 16 Passy":                      {"FR", "Paris"},
		"Paris la Defense":                    {"FR", "Paris la Defense"},
		"Parisot":                             {"FR", "Parisot"},
		"Marseille 12":                        {"FR", "Marseille"},
		"Praha 5":                             {"CZ", "Prague"},
		"Praha-Kunratice":                     {"CZ", "Prague"},
		"Leibnitz, Styria":                    {"AT", "Leibnitz"},
		"Santa Rosa (Real) [Fraccionamiento]": {"MX", "Santa Rosa"},
		"Palomar [x]":                         {"MX", "Palomar"},
		"Murten/Morat":                        {"CH", "Murten/Morat"},
		"Colonia 2 de Septiembre":             {"MX", "Colonia 2 de Septiembre"},
		"Sao Cristovao  Municipality (x)":     {"BR", "Sao Cristovao Municipality"},
		" Graz\t\n":                           {"AT", "Graz"},
		"München":                             {"DE", "München"},
		"A\x00\u200b\xffB":                    {"DE", "AB"},
		"(Mitte)":                             {"DE", ""},
		"":                                    {"DE", ""},
	} {
		if got := place.CityName(c.country, written); got != c.want {
			t.Errorf("city %q of %s is %q, want %q", written, c.country, got, c.want)
		}
	}
}

func TestRegionHasOneName(t *testing.T) {
	for written, c := range map[string]struct{ country, want string }{
		"Bavaria":                    {"DE", "Bavaria"},
		"State of Berlin":            {"DE", "Berlin"},
		"Berlin":                     {"DE", "Berlin"},
		"Rhone-Alpes":                {"FR", "Auvergne-Rhone-Alpes"},
		"Cluj County":                {"RO", "Cluj"},
		"Bucuresti":                  {"RO", "Bucharest"},
		"Orange County":              {"US", "Orange County"},
		"Primorskiy (Maritime) Kray": {"RU", "Primorskiy Kray"},
		"Ho Chi Minh City (HCMC)":    {"VN", "Ho Chi Minh City"},
		"Half (open":                 {"VN", "Half"},
		"[no Name]":                  {"SX", ""},
		"":                           {"DE", ""},
	} {
		if got := place.RegionName(c.country, written); got != c.want {
			t.Errorf("region %q of %s is %q, want %q", written, c.country, got, c.want)
		}
	}
}

func TestLongNamesAreCutBetweenCharacters(t *testing.T) {
	got := place.CityName("DE", strings.Repeat("ü", 1000))
	if !utf8.ValidString(got) || len(got) != 80 {
		t.Errorf("%d bytes are left, valid: %t", len(got), utf8.ValidString(got))
	}
}

func FuzzNames(f *testing.F) {
	for _, s := range []string{"Berlin (Mitte)", "((([[[", "\xff\xfe(", strings.Repeat("ü", 90), "Paris 0", " , ", "a)b(c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		for _, got := range []string{place.CityName("FR", name), place.RegionName("RO", name)} {
			if len(got) > 80 || !utf8.ValidString(got) || got != strings.TrimSpace(got) || strings.ContainsAny(got, "\n\r\x00") {
				t.Errorf("%q became %q", name, got)
			}
		}
	})
}
