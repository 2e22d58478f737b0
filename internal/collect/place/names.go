package place

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"footfall/internal/atlas"
)

// maxName is how many bytes of a name are kept. The longest real ones have about sixty.
const maxName = 80

// A finding is what a database says of an address, in its own words.
type finding struct {
	continent string // code, "EU"; only of use where the country is not known
	country   string // code of ISO 3166-1, "DE"
	region    string
	city      string
}

// place is the finding in our words. Without a country, region and city are of no use: there are many Springfields.
func (f finding) place() Place {
	code := strings.ToUpper(f.country)
	p := Place{Country: atlas.CountryName(code)}
	if p.Country == "" {
		return Place{Continent: atlas.ContinentName(f.continent)}
	}
	p.Continent = atlas.ContinentName(atlas.ContinentOf(code))
	p.Region = regionName(code, f.region)
	if city := cityName(code, f.city); city != "" {
		p.City = city + ", " + p.Country
	}
	return p
}

// cityName is the city without the part of it that some databases add, so that a city is one row: "Berlin (Mitte)",
// "Paris 16 Passy" and "Leibnitz, Styria" are Berlin, Paris and Leibnitz.
func cityName(country, name string) string {
	name = clean(name)
	for _, d := range districts[country] {
		if strings.HasPrefix(name, d.prefix) {
			return d.city
		}
	}
	if i := strings.IndexAny(name, "([,"); i >= 0 {
		name = strings.TrimSpace(name[:i])
	}
	return name
}

// regionName is the region without remarks, and by one name where databases have two.
func regionName(country, name string) string {
	name = withoutRemarks(clean(name))
	if suffix := regionSuffixes[country]; suffix != "" {
		name = strings.TrimSuffix(name, suffix)
	}
	if one, ok := regionNames[country][name]; ok {
		return one
	}
	return name
}

// withoutRemarks cuts what is in brackets: "Primorskiy (Maritime) Kray" is Primorskiy Kray.
func withoutRemarks(name string) string {
	for _, pair := range []string{"()", "[]"} {
		for {
			from := strings.IndexByte(name, pair[0])
			if from < 0 {
				break
			}
			rest := ""
			if to := strings.IndexByte(name[from:], pair[1]); to >= 0 {
				rest = name[from+to+1:]
			}
			name = strings.TrimSpace(strings.TrimSpace(name[:from]) + " " + strings.TrimSpace(rest))
		}
	}
	return name
}

// clean makes a name of one line, with single spaces, in valid UTF-8 and of bounded length.
func clean(name string) string {
	if plain(name) {
		return name
	}
	name = name[:min(len(name), 4*maxName)]
	name = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError:
			return -1
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, name)
	name = strings.Join(strings.Fields(name), " ")
	if len(name) > maxName {
		end := maxName
		for !utf8.RuneStart(name[end]) {
			end--
		}
		name = strings.TrimSpace(name[:end])
	}
	return name
}

// plain tells that there is nothing to clean, as in nearly every name.
func plain(name string) bool {
	if len(name) > maxName || strings.HasPrefix(name, " ") || strings.HasSuffix(name, " ") || strings.Contains(name, "  ") {
		return false
	}
	for i := range len(name) {
		if name[i] < ' ' || name[i] >= 0x7f {
			return false
		}
	}
	return true
}

// A district is the beginning of names that are parts of a city.
type district struct{ prefix, city string }

// districts are by the code of their country. Frankfurt is here because its brackets are part of its name.
var districts = map[string][]district{
	"CZ": {{"Praha ", "Prague"}, {"Praha-", "Prague"}},
	"DE": {{"Frankfurt (Oder)", "Frankfurt (Oder)"}},
	"FR": {
		{"Paris 0", "Paris"}, {"Paris 1", "Paris"}, {"Paris 2", "Paris"},
		{"Marseille 0", "Marseille"}, {"Marseille 1", "Marseille"}, {"Lyon 0", "Lyon"},
	},
}

// regionSuffixes end some names of regions and not others of the same country: "Cluj" and "Cluj County".
var regionSuffixes = map[string]string{
	"BD": " Division", "HK": " District", "HU": " County", "NZ": " Region", "PY": " Department", "RO": " County",
	"SK": " Region", "TN": " Governorate",
}

// regionNames are regions that DB-IP writes in two or three ways, and the one that is kept.
var regionNames = map[string]map[string]string{
	"AT": {"State of Vienna": "Vienna"},
	"CZ": {"Hlavni mesto Praha": "Prague"},
	"DE": {
		"State of Berlin": "Berlin", "Free and Hanseatic City of Hamburg": "Hamburg",
		"City state Bremen": "Bremen", "Free Hanseatic City of Bremen": "Bremen",
	},
	"FR": {
		"Rhone-Alpes": "Auvergne-Rhone-Alpes", "Bourgogne": "Bourgogne-Franche-Comte", "New Aquitaine": "Nouvelle-Aquitaine",
		"Provence": "Provence-Alpes-Cote d'Azur",
	},
	"GE": {"T'bilisi": "Tbilisi"},
	"LR": {"Montserrado County": "Montserrado"},
	"RO": {"Bucuresti": "Bucharest"},
}
