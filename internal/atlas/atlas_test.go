package atlas_test

import (
	"slices"
	"testing"

	"footfall/internal/atlas"
)

func TestCountriesAreNamedAsPeopleWriteThem(t *testing.T) {
	for code, want := range map[string]string{
		"DE": "Germany", "de": "Germany", "US": "United States", "GB": "United Kingdom", "TR": "Türkiye",
		"CZ": "Czechia", "KR": "South Korea", "CI": "Côte d'Ivoire", "MK": "North Macedonia", "VN": "Vietnam",
		"HK": "Hong Kong", "TW": "Taiwan", "XK": "Kosovo", "RU": "Russia", "": "", "ZZ": "", "DEU": "",
	} {
		if got := atlas.CountryName(code); got != want {
			t.Errorf("country %q is %q, want %q", code, got, want)
		}
	}
}

func TestEveryCountryHasOneNameAndLiesOnAContinent(t *testing.T) {
	codes := atlas.CountryCodes()
	if len(codes) != 250 || !slices.IsSorted(codes) {
		t.Errorf("%d countries, in order: %t; want the 249 of ISO 3166-1 and Kosovo", len(codes), slices.IsSorted(codes))
	}
	for _, code := range codes {
		name := atlas.CountryName(code)
		if back := atlas.CountryCode(name); back != code {
			t.Errorf("%s is %q, which is %q", code, name, back)
		}
		if atlas.ContinentName(atlas.ContinentOf(code)) == "" {
			t.Errorf("%s lies on no continent", name)
		}
	}
	if got := atlas.CountryCode("Atlantis"); got != "" {
		t.Errorf("Atlantis is %q", got)
	}
}

func TestEveryContinentHasOneName(t *testing.T) {
	for code, name := range map[string]string{
		"AF": "Africa", "AN": "Antarctica", "AS": "Asia", "EU": "Europe", "NA": "North America", "OC": "Oceania",
		"SA": "South America",
	} {
		if got := atlas.ContinentName(code); got != name {
			t.Errorf("continent %s is %q, want %q", code, got, name)
		}
		if got := atlas.ContinentCode(name); got != code {
			t.Errorf("%s has code %q, want %q", name, got, code)
		}
	}
	if got := atlas.ContinentOf("de"); got != "EU" {
		t.Errorf("Germany lies on %q", got)
	}
}

func TestLanguagesAreFoundByWhatBrowsersSend(t *testing.T) {
	for tag, want := range map[string]string{
		"de": "German", "de-AT": "German", "DE_at": "German", "zh-Hant-TW": "Chinese", "fil-PH": "Filipino",
		"nb-NO": "Norwegian Bokmål", "iw": "Hebrew", "": "", "-": "", "*": "", "xx": "", "german": "",
	} {
		if got := atlas.LanguageName(tag); got != want {
			t.Errorf("language %q is %q, want %q", tag, got, want)
		}
	}
}

func TestEveryLanguageHasOneName(t *testing.T) {
	codes := atlas.LanguageCodes()
	if len(codes) < 184 || !slices.IsSorted(codes) {
		t.Errorf("%d languages, in order: %t", len(codes), slices.IsSorted(codes))
	}
	for _, code := range codes {
		name := atlas.LanguageName(code)
		if back := atlas.LanguageCode(name); back != code {
			t.Errorf("%s is %q, which is %q", code, name, back)
		}
	}
}
