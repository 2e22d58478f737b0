package demo

import (
	"math/rand/v2"

	"footfall/internal/atlas"
	"footfall/internal/event"
)

// A place is where people are, and what they speak there.
type place struct{ country, region, city, language string }

func (p place) fill(e *event.Event) {
	e.Fields[event.Country] = atlas.CountryName(p.country)
	e.Fields[event.Continent] = atlas.ContinentName(atlas.ContinentOf(p.country))
	e.Fields[event.Region] = p.region
	e.Fields[event.City] = p.city + ", " + e.Fields[event.Country]
	e.Fields[event.Language] = atlas.LanguageName(p.language)
}

// europeans are those who come to a website from Berlin that is read all over the world.
var europeans = choices[place]{
	{90, place{"DE", "Berlin", "Berlin", "de"}},
	{52, place{"DE", "Bavaria", "Munich", "de"}},
	{47, place{"DE", "Hamburg", "Hamburg", "de"}},
	{30, place{"DE", "Hesse", "Frankfurt am Main", "de"}},
	{27, place{"DE", "North Rhine-Westphalia", "Cologne", "de"}},
	{14, place{"DE", "Saxony", "Leipzig", "de"}},
	{11, place{"DE", "Berlin", "Berlin", "en"}},
	{42, place{"US", "California", "San Francisco", "en"}},
	{38, place{"US", "New York", "New York", "en"}},
	{19, place{"US", "Washington", "Seattle", "en"}},
	{18, place{"US", "Texas", "Austin", "en"}},
	{14, place{"US", "Massachusetts", "Boston", "en"}},
	{54, place{"GB", "England", "London", "en"}},
	{15, place{"GB", "England", "Manchester", "en"}},
	{9, place{"GB", "Scotland", "Edinburgh", "en"}},
	{44, place{"FR", "Île-de-France", "Paris", "fr"}},
	{13, place{"FR", "Auvergne-Rhône-Alpes", "Lyon", "fr"}},
	{37, place{"NL", "North Holland", "Amsterdam", "nl"}},
	{12, place{"NL", "Utrecht", "Utrecht", "nl"}},
	{31, place{"AT", "Vienna", "Vienna", "de"}},
	{29, place{"CH", "Zurich", "Zurich", "de"}},
	{8, place{"CH", "Geneva", "Geneva", "fr"}},
	{23, place{"ES", "Catalonia", "Barcelona", "es"}},
	{19, place{"ES", "Community of Madrid", "Madrid", "es"}},
	{25, place{"PL", "Masovian Voivodeship", "Warsaw", "pl"}},
	{21, place{"SE", "Stockholm County", "Stockholm", "sv"}},
	{18, place{"IT", "Lombardy", "Milan", "it"}},
	{33, place{"IN", "Karnataka", "Bengaluru", "en"}},
	{16, place{"IN", "Maharashtra", "Mumbai", "en"}},
	{17, place{"CA", "Ontario", "Toronto", "en"}},
	{15, place{"JP", "Tokyo", "Tokyo", "ja"}},
	{14, place{"BR", "São Paulo", "São Paulo", "pt"}},
	{13, place{"AU", "New South Wales", "Sydney", "en"}},
	{12, place{"DK", "Capital Region", "Copenhagen", "da"}},
	{11, place{"CZ", "Prague", "Prague", "cs"}},
	{9, place{"UA", "Kyiv", "Kyiv", "uk"}},
	{8, place{"PT", "Lisbon", "Lisbon", "pt"}},
	{7, place{"SG", "Singapore", "Singapore", "en"}},
	{6, place{"KR", "Seoul", "Seoul", "ko"}},
	{6, place{"FI", "Uusimaa", "Helsinki", "fi"}},
	{5, place{"NG", "Lagos", "Lagos", "en"}},
	{4, place{"ZA", "Western Cape", "Cape Town", "en"}},
	{3, place{"NZ", "Auckland", "Auckland", "en"}},
}

// americans are those who come to a shop that delivers in North America.
var americans = choices[place]{
	{95, place{"US", "New York", "New York", "en"}},
	{61, place{"US", "California", "Los Angeles", "en"}},
	{52, place{"US", "Illinois", "Chicago", "en"}},
	{41, place{"US", "Massachusetts", "Boston", "en"}},
	{36, place{"US", "Texas", "Houston", "en"}},
	{35, place{"US", "Pennsylvania", "Philadelphia", "en"}},
	{29, place{"US", "Georgia", "Atlanta", "en"}},
	{27, place{"US", "Washington", "Seattle", "en"}},
	{25, place{"US", "Colorado", "Denver", "en"}},
	{22, place{"US", "Florida", "Miami", "es"}},
	{20, place{"US", "Oregon", "Portland", "en"}},
	{18, place{"US", "Minnesota", "Minneapolis", "en"}},
	{15, place{"US", "North Carolina", "Charlotte", "en"}},
	{44, place{"CA", "Ontario", "Toronto", "en"}},
	{21, place{"CA", "Quebec", "Montreal", "fr"}},
	{17, place{"CA", "British Columbia", "Vancouver", "en"}},
	{12, place{"MX", "Mexico City", "Mexico City", "es"}},
	{14, place{"GB", "England", "London", "en"}},
	{6, place{"DE", "Berlin", "Berlin", "de"}},
	{5, place{"FR", "Île-de-France", "Paris", "fr"}},
	{5, place{"AU", "Victoria", "Melbourne", "en"}},
	{4, place{"IE", "Leinster", "Dublin", "en"}},
	{3, place{"JP", "Tokyo", "Tokyo", "ja"}},
	{3, place{"BR", "Rio de Janeiro", "Rio de Janeiro", "pt"}},
}

// A device is what people hold in their hands or sit at.
type device struct {
	kind, os   string
	versions   choices[string] // of the system
	browsers   choices[browser]
	resolution choices[string]
}

type browser struct{ name, version string }

func (d *device) fill(e *event.Event, r *rand.Rand) {
	b := d.browsers.pick(r)
	e.Fields[event.Device], e.Fields[event.OS], e.Fields[event.OSVersion] = d.kind, d.os, d.versions.pick(r)
	e.Fields[event.Browser], e.Fields[event.BrowserVersion] = b.name, b.version
	e.Fields[event.Resolution] = d.resolution.pick(r)
}

var (
	windows = device{"Desktop", "Windows", choices[string]{{7, "11"}, {3, "10"}},
		choices[browser]{{52, browser{"Chrome", "142"}}, {14, browser{"Chrome", "141"}}, {19, browser{"Edge", "142"}}, {12, browser{"Firefox", "145"}}, {3, browser{"Opera", "123"}}},
		choices[string]{{50, "1920x1080"}, {17, "1536x864"}, {13, "2560x1440"}, {11, "1366x768"}, {6, "3840x2160"}, {3, "1600x900"}}}
	mac = device{"Desktop", "macOS", choices[string]{{6, "26"}, {5, "15"}, {2, "14"}},
		choices[browser]{{40, browser{"Safari", "26"}}, {10, browser{"Safari", "18"}}, {38, browser{"Chrome", "142"}}, {9, browser{"Firefox", "145"}}, {3, browser{"Brave", "142"}}},
		choices[string]{{34, "1512x982"}, {27, "1440x900"}, {20, "1728x1117"}, {13, "2560x1440"}, {6, "1920x1080"}}}
	linux = device{"Desktop", "Linux", choices[string]{{1, ""}},
		choices[browser]{{48, browser{"Firefox", "145"}}, {8, browser{"Firefox", "140"}}, {36, browser{"Chrome", "142"}}, {8, browser{"Brave", "142"}}},
		choices[string]{{56, "1920x1080"}, {28, "2560x1440"}, {16, "3840x2160"}}}
	iphone = device{"Mobile", "iOS", choices[string]{{7, "26"}, {4, "18"}, {1, "17"}},
		choices[browser]{{70, browser{"Safari", "26"}}, {18, browser{"Safari", "18"}}, {12, browser{"Chrome", "142"}}},
		choices[string]{{40, "393x852"}, {33, "390x844"}, {17, "430x932"}, {10, "375x812"}}}
	android = device{"Mobile", "Android", choices[string]{{5, "16"}, {5, "15"}, {3, "14"}, {1, "13"}},
		choices[browser]{{72, browser{"Chrome", "142"}}, {15, browser{"Samsung Internet", "29"}}, {9, browser{"Firefox", "145"}}, {4, browser{"Opera", "91"}}},
		choices[string]{{48, "412x915"}, {32, "360x800"}, {20, "384x832"}}}
	ipad = device{"Tablet", "iOS", choices[string]{{7, "26"}, {3, "18"}},
		choices[browser]{{9, browser{"Safari", "26"}}, {1, browser{"Chrome", "142"}}},
		choices[string]{{6, "820x1180"}, {3, "1024x1366"}}}
)
