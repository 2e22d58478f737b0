// Package atlas is the names of countries, continents and languages, and their codes.
//
// The one thing to know: a name leads to one code and back. What collect writes into an event by code, stats finds the
// code of by name, so both read the same tables.
package atlas

import "strings"

// CountryName is the name of a country by its code of ISO 3166-1: "DE" is Germany. It is "" for a code that is none.
func CountryName(code string) string { return countriesByCode[strings.ToUpper(code)].name }

// CountryCode is the code of a country by the name that CountryName gives it, or "".
func CountryCode(name string) string { return countriesByName[name].code }

// ContinentOf is the code of the continent that a country lies on, or "". One that lies on two is on that of its capital.
func ContinentOf(countryCode string) string {
	return countriesByCode[strings.ToUpper(countryCode)].continent
}

// ContinentName is the name of a continent by its code: "EU" is Europe. It is "" for a code that is none.
func ContinentName(code string) string { return continents[strings.ToUpper(code)] }

// ContinentCode is the code of a continent by the name that ContinentName gives it, or "".
func ContinentCode(name string) string { return continentCodes[name] }

// LanguageName is the name of a language by its tag as browsers send it: "de", "de-AT" and "DE_at" are German. It is ""
// for a tag that begins with no code of a language.
func LanguageName(tag string) string {
	code := strings.ToLower(tag)
	if i := strings.IndexAny(code, "-_"); i >= 0 {
		code = code[:i]
	}
	if now, ok := oldLanguageCodes[code]; ok {
		code = now
	}
	return languageNames[code]
}

// LanguageCode is the code of a language by the name that LanguageName gives it, or "".
func LanguageCode(name string) string { return languageCodes[name] }

var continents = map[string]string{
	"AF": "Africa",
	"AN": "Antarctica",
	"AS": "Asia",
	"EU": "Europe",
	"NA": "North America",
	"OC": "Oceania",
	"SA": "South America",
}

// oldLanguageCodes are those that some programs still send, and what they are now.
var oldLanguageCodes = map[string]string{"in": "id", "iw": "he", "ji": "yi"}

var (
	countriesByCode, countriesByName = indexCountries()
	languageNames, languageCodes     = indexLanguages()
	continentCodes                   = indexContinents()
)

func indexCountries() (byCode, byName map[string]country) {
	byCode, byName = make(map[string]country, len(countries)), make(map[string]country, len(countries))
	for _, c := range countries {
		byCode[c.code], byName[c.name] = c, c
	}
	return byCode, byName
}

func indexLanguages() (names, codes map[string]string) {
	names, codes = make(map[string]string, len(languages)), make(map[string]string, len(languages))
	for _, l := range languages {
		names[l.code], codes[l.name] = l.name, l.code
	}
	return names, codes
}

func indexContinents() map[string]string {
	codes := make(map[string]string, len(continents))
	for code, name := range continents {
		codes[name] = code
	}
	return codes
}
