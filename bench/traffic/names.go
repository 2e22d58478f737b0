package traffic

// countries with their continents, the most visitors first. Zipf with an exponent of 1.05 gives the second of them about
// a tenth.
var countries = []string{
	"United States/North America", "Germany/Europe", "United Kingdom/Europe", "France/Europe", "India/Asia", "Canada/North America",
	"Netherlands/Europe", "Spain/Europe", "Brazil/South America", "Italy/Europe", "Australia/Oceania", "Poland/Europe",
	"Japan/Asia", "Sweden/Europe", "Switzerland/Europe", "Austria/Europe", "Belgium/Europe", "Mexico/North America", "Turkey/Asia",
	"Indonesia/Asia", "Czechia/Europe", "Denmark/Europe", "Norway/Europe", "Finland/Europe", "Ireland/Europe", "Portugal/Europe",
	"Romania/Europe", "Ukraine/Europe", "Greece/Europe", "Hungary/Europe", "South Korea/Asia", "Singapore/Asia", "Philippines/Asia",
	"Vietnam/Asia", "Thailand/Asia", "Malaysia/Asia", "Taiwan/Asia", "Hong Kong/Asia", "China/Asia", "Pakistan/Asia",
	"Bangladesh/Asia", "Israel/Asia", "Saudi Arabia/Asia", "United Arab Emirates/Asia", "South Africa/Africa", "Nigeria/Africa",
	"Egypt/Africa", "Kenya/Africa", "Morocco/Africa", "Argentina/South America", "Colombia/South America", "Chile/South America",
	"Peru/South America", "Ecuador/South America", "New Zealand/Oceania", "Bulgaria/Europe", "Croatia/Europe", "Slovakia/Europe",
	"Slovenia/Europe", "Serbia/Europe", "Lithuania/Europe", "Latvia/Europe", "Estonia/Europe", "Luxembourg/Europe", "Iceland/Europe",
	"Malta/Europe", "Cyprus/Europe", "Albania/Europe", "Moldova/Europe", "Montenegro/Europe", "North Macedonia/Europe",
	"Bosnia and Herzegovina/Europe", "Kazakhstan/Asia", "Uzbekistan/Asia", "Georgia/Asia", "Armenia/Asia", "Azerbaijan/Asia",
	"Sri Lanka/Asia", "Nepal/Asia", "Cambodia/Asia", "Laos/Asia", "Mongolia/Asia", "Jordan/Asia", "Lebanon/Asia", "Iraq/Asia",
	"Kuwait/Asia", "Qatar/Asia", "Bahrain/Asia", "Oman/Asia", "Algeria/Africa", "Tunisia/Africa", "Ghana/Africa", "Ethiopia/Africa",
	"Tanzania/Africa", "Uganda/Africa", "Senegal/Africa", "Cameroon/Africa", "Zambia/Africa", "Zimbabwe/Africa", "Rwanda/Africa",
	"Mauritius/Africa", "Namibia/Africa", "Botswana/Africa", "Uruguay/South America", "Paraguay/South America",
	"Bolivia/South America", "Venezuela/South America", "Guyana/South America", "Costa Rica/North America",
	"Panama/North America", "Guatemala/North America", "Dominican Republic/North America", "Jamaica/North America",
	"Cuba/North America", "Honduras/North America", "El Salvador/North America", "Fiji/Oceania", "Samoa/Oceania",
	"Papua New Guinea/Oceania", "Antarctica/Antarctica",
}

// 40 × 10 regions, 60 × 50 cities.
var (
	regionStems = []string{
		"Alder", "Arden", "Bel", "Birch", "Borin", "Calder", "Carn", "Dale", "Dorn", "Elm", "Esk", "Fal", "Fen", "Gal",
		"Glen", "Hal", "Hazel", "Ilm", "Isar", "Jar", "Kel", "Kin", "Lamb", "Lorn", "Mar", "Mel", "Nor", "Oak", "Or", "Pen",
		"Quill", "Ros", "Sal", "Stor", "Tam", "Thorn", "Ul", "Ver", "Wen", "Yar",
	}
	regionKinds = []string{" Valley", "shire", " Coast", " Highlands", " Province", "land", " Lakes", " Plains", " North", " South"}
	cityStems   = []string{
		"Ash", "Bad", "Barn", "Beck", "Black", "Bright", "Brook", "Cam", "Castle", "Chest", "Clay", "Cold", "Deer", "Dun",
		"East", "Edge", "Fair", "Farn", "Fox", "Grand", "Green", "Hag", "Ham", "Hart", "High", "Holt", "Iron", "Kings", "Lang",
		"Lin", "Long", "Maple", "Mill", "Moor", "Neu", "New", "North", "Old", "Orm", "Oxen", "Park", "Port", "Queens", "Raven",
		"Red", "River", "Saint", "Sand", "Shep", "Silver", "South", "Stan", "Stone", "Sud", "Sun", "Swan", "Wal", "West",
		"White", "Wolf",
	}
	cityEnds = []string{
		"ford", "ton", "burg", "ville", "field", "ham", "stead", "mouth", "bridge", "haven", "dorf", "heim", "berg", "stadt",
		"bach", "hausen", "wick", "by", "thorpe", "ness", "borough", "bury", "caster", "dale", "den", "gate", "hill",
		"holm", "hurst", "kirk", "land", "leigh", "low", "mere", "minster", "moss", "polis", "pool", "port", "shaw", "side", "stow",
		"thwaite", "toft", "view", "wald", "well", "wood", "worth", "yard",
	}
)

var browserShares = []struct {
	name     string
	share    float64
	newest   int
	versions int
}{
	{"Chrome", 52, 143, 24}, {"Safari", 20, 26, 12}, {"Firefox", 8, 145, 20}, {"Edge", 8, 143, 12}, {"Samsung Internet", 4, 29, 8},
	{"Opera", 2.5, 124, 10}, {"Brave", 1.8, 143, 6}, {"Vivaldi", 1, 7, 5}, {"DuckDuckGo", 1, 7, 4}, {"UC Browser", 0.8, 16, 6},
	{"Yandex Browser", 0.6, 25, 6}, {"Internet Explorer", 0.3, 11, 3},
}

var (
	onDesktop = [4]string{"Desktop", "Desktop", "Desktop", "Desktop"}
	onTouch   = [4]string{"Mobile", "Mobile", "Mobile", "Tablet"}
)

var systemShares = []struct {
	name     string
	share    float64
	versions []string
	devices  [4]string
}{
	{"Windows", 34, []string{"11", "10", "8.1", "7"}, onDesktop},
	{"Android", 26, []string{"16", "15", "14", "13", "12", "11", "10", "9"}, onTouch},
	{"iOS", 18, []string{"26.1", "26.0", "18.7", "18.6", "17.7", "16.7", "15.8"}, onTouch},
	{"macOS", 13, []string{"26", "15", "14", "13", "12", "10.15"}, onDesktop},
	{"Linux", 5, []string{"", "6.1"}, onDesktop},
	{"iPadOS", 2, []string{"26.1", "18.7", "17.7"}, [4]string{"Tablet", "Tablet", "Tablet", "Tablet"}},
	{"Chrome OS", 1.5, []string{"16328", "16238", "16181"}, onDesktop},
	{"Tizen", 0.5, []string{"9.0", "8.0", "7.0"}, [4]string{"TV", "TV", "TV", "TV"}},
}

const screens = `1920x1080 390x844 1536x864 393x852 1366x768 412x915 414x896 360x800 1440x900 430x932 2560x1440 1280x720
	375x812 385x854 1600x900 1680x1050 360x780 384x832 1470x956 1512x982 1728x1117 820x1180 768x1024 810x1080 834x1194
	1024x1366 1280x800 1280x1024 3840x2160 3440x1440 2560x1600 1920x1200 1360x768 2048x1152 320x568 375x667 414x736
	428x926 360x640 1112x834`

const languages = `English German French Spanish Dutch Portuguese Italian Polish Japanese Swedish Turkish Indonesian Czech Danish
	Norwegian Finnish Romanian Ukrainian Greek Hungarian Korean Chinese Vietnamese Thai Malay Hindi Bengali Urdu Arabic Hebrew
	Bulgarian Croatian Slovak Slovenian Serbian Lithuanian Latvian Estonian Russian Catalan`

// sources with their channels, the most visitors first.
const sources = `Google/Organic_Search Facebook/Organic_Social Bing/Organic_Search Reddit/Organic_Social DuckDuckGo/Organic_Search
	HackerNews/Referral ChatGPT/AI_Assistants X/Organic_Social LinkedIn/Organic_Social YouTube/Organic_Social GitHub/Referral
	Wikipedia/Referral Instagram/Organic_Social Ecosia/Organic_Search Newsletter/Email Pinterest/Organic_Social
	Yahoo/Organic_Search Perplexity/AI_Assistants Medium/Referral StackOverflow/Referral Mastodon/Organic_Social
	Bluesky/Organic_Social TikTok/Organic_Social Quora/Referral Telegram/Organic_Social Discord/Organic_Social Slack/Referral
	Substack/Email Brave/Organic_Search Yandex/Organic_Search Baidu/Organic_Search Startpage/Organic_Search Qwant/Organic_Search
	Copilot/AI_Assistants Gemini/AI_Assistants Lobsters/Referral ProductHunt/Referral PartnerNet/Affiliates Awin/Affiliates
	DevTo/Referral`
