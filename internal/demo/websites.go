package demo

import (
	"time"
	_ "time/tzdata" // so that every machine knows the zones
)

// A Website is one that only exists here.
type Website struct {
	Domain   string
	Timezone string // IANA's name

	number   uint64 // for chance
	zone     *time.Location
	visits   float64    // on an ordinary day at the end of the year
	growth   float64    // from the beginning of the year to its end
	weekdays [7]float64 // from Sunday
	hours    choices[int]
	surges   []surge
	sources  choices[*source]
	places   choices[place]
	devices  choices[*device]
	landing  choices[string]
	sections map[string]section
}

// Websites are those of the demo. The larger comes first.
func Websites() []*Website {
	all := []*Website{software(), shop()}
	for i, w := range all {
		w.number = uint64(i)
		zone, err := time.LoadLocation(w.Timezone)
		if err != nil {
			panic(err) // the zones are in the binary
		}
		w.zone = zone
	}
	return all
}

// hourShares are the hours of a day by what they bring, from midnight.
func hourShares(shares ...float64) choices[int] {
	c := make(choices[int], 24)
	for hour := range c {
		c[hour].share, c[hour].of = shares[hour], hour
	}
	return c
}

// software sells a program by subscription. It is read on working days, and was launched in the year.
func software() *Website {
	launch := choices[*source]{
		{50, &source{referrer: "news.ycombinator.com", landing: choices[string]{{7, "home"}, {3, "launch"}}}},
		{22, &source{referrer: "producthunt.com",
			campaigns: choices[campaign]{{1, campaign{name: "launch", source: "producthunt", medium: "referral"}}}}},
		{17, &source{referrer: "reddit.com", landing: choices[string]{{1, "launch"}}}},
		{11, &source{}},
	}
	return &Website{
		Domain: "tidewater.example", Timezone: "Europe/Berlin", visits: 300, growth: 5,
		weekdays: [7]float64{0.52, 1.12, 1.2, 1.18, 1.12, 0.94, 0.5},
		hours:    hourShares(9, 6, 5, 5, 6, 9, 16, 31, 52, 70, 74, 70, 58, 66, 74, 74, 68, 58, 48, 42, 38, 32, 24, 15),
		surges:   []surge{{day: 214, times: 5.5, fading: 1.7, sources: launch}},
		places:   europeans,
		devices:  choices[*device]{{33, &windows}, {28, &mac}, {9, &linux}, {15, &iphone}, {13, &android}, {2, &ipad}},
		landing:  choices[string]{{52, "home"}, {24, "blog"}, {15, "docs"}, {6, "pricing"}, {3, "about"}},
		sources: choices[*source]{
			{34, &source{}},
			{30, &source{referrer: "google.com", landing: choices[string]{{4, "home"}, {4, "blog"}, {3, "docs"}}}},
			{5, &source{referrer: "duckduckgo.com", landing: choices[string]{{3, "home"}, {3, "docs"}}}},
			{4, &source{referrer: "bing.com"}},
			{6, &source{referrer: "github.com", landing: choices[string]{{5, "docs"}, {2, "home"}}}},
			{4, &source{referrer: "news.ycombinator.com", landing: choices[string]{{1, "blog"}}}},
			{3, &source{referrer: "reddit.com", landing: choices[string]{{1, "blog"}}}},
			{3, &source{referrer: "linkedin.com"}},
			{2, &source{referrer: "chatgpt.com", landing: choices[string]{{2, "docs"}, {1, "pricing"}}}},
			{6, &source{landing: choices[string]{{4, "blog"}, {1, "home"}}, campaigns: choices[campaign]{
				{3, campaign{name: "weekly-digest", source: "Newsletter", medium: "email", content: "top-story"}},
				{1, campaign{name: "weekly-digest", source: "Newsletter", medium: "email", content: "footer"}},
				{1, campaign{name: "onboarding", source: "Newsletter", medium: "email"}}}}},
			{5, &source{referrer: "google.com", landing: choices[string]{{3, "pricing"}, {2, "home"}}, campaigns: choices[campaign]{
				{3, campaign{name: "brand", source: "google", medium: "cpc", term: "tidewater"}},
				{2, campaign{name: "competitors", source: "google", medium: "cpc", term: "project planning tool"}}}}},
			{2, &source{referrer: "linkedin.com", landing: choices[string]{{1, "features"}},
				campaigns: choices[campaign]{{1, campaign{name: "team-leads", source: "linkedin", medium: "paid-social", content: "carousel"}}}}},
		},
		sections: map[string]section{
			"home": {choices[string]{{1, "/"}}, 38 * time.Second,
				choices[string]{{40, leave}, {22, "features"}, {20, "pricing"}, {8, "docs"}, {7, "blog"}, {3, "about"}}, nil},
			"features": {choices[string]{{5, "/features"}, {3, "/features/boards"}, {2, "/features/reports"}, {2, "/features/automation"}}, 55 * time.Second,
				choices[string]{{30, leave}, {30, "pricing"}, {22, "features"}, {12, "signup"}, {6, "home"}}, nil},
			"pricing": {choices[string]{{1, "/pricing"}}, 50 * time.Second,
				choices[string]{{43, leave}, {25, "signup"}, {14, "features"}, {10, "home"}, {8, "docs"}}, nil},
			"signup": {choices[string]{{1, "/signup"}}, 45 * time.Second, choices[string]{{50, leave}, {42, "welcome"}, {8, "pricing"}}, nil},
			"welcome": {choices[string]{{1, "/welcome"}}, 60 * time.Second, choices[string]{{45, leave}, {55, "docs"}}, choices[deed]{
				{74, deed{name: "Signup", prop: "plan", of: choices[ware]{{8, ware{"free", 0}}, {2, ware{"trial", 0}}}}},
				{26, deed{name: "Subscribe", prop: "plan", unit: "EUR", of: choices[ware]{{6, ware{"pro", 900}}, {3, ware{"team", 2900}}, {1, ware{"business", 9900}}}}}}},
			"docs": {choices[string]{{8, "/docs"}, {7, "/docs/install"}, {5, "/docs/first-board"}, {4, "/docs/api"}, {3, "/docs/import"}, {2, "/docs/webhooks"}, {2, "/docs/backups"},
				{1, "/docs/search?q=export"}, {1, "/docs/search?q=sso"}}, 80 * time.Second,
				choices[string]{{40, leave}, {50, "docs"}, {6, "pricing"}, {4, "home"}},
				choices[deed]{{93, deed{}}, {5, deed{name: "Download", prop: "file", of: choices[ware]{{3, ware{name: "tidewater-linux.tar.gz"}}, {2, ware{name: "tidewater-macos.dmg"}},
					{2, ware{name: "tidewater-windows.msi"}}}}}, {2, deed{name: "Search"}}}},
			"blog": {choices[string]{{4, "/blog"}, {9, "/blog/why-we-left-microservices"}, {7, "/blog/estimates-are-guesses"}, {6, "/blog/meetings-that-end"},
				{5, "/blog/sqlite-in-production"}, {4, "/blog/a-year-in-numbers"}, {3, "/blog/hiring-in-public"}, {3, "/blog/keyboard-first"}, {2, "/blog/pricing-mistakes"}}, 95 * time.Second,
				choices[string]{{66, leave}, {16, "blog"}, {14, "home"}, {4, "pricing"}},
				choices[deed]{{94, deed{}}, {4, deed{name: "Outbound Link", prop: "host", of: choices[ware]{{3, ware{name: "github.com"}}, {2, ware{name: "sqlite.org"}}, {1, ware{name: "en.wikipedia.org"}}}}},
					{2, deed{name: "Newsletter"}}}},
			"launch": {choices[string]{{1, "/blog/tidewater-2"}}, 90 * time.Second, choices[string]{{50, leave}, {30, "home"}, {12, "features"}, {8, "pricing"}}, nil},
			"about":  {choices[string]{{3, "/about"}, {2, "/contact"}, {1, "/jobs"}}, 35 * time.Second, choices[string]{{65, leave}, {35, "home"}}, nil},
		},
	}
}

// shop sells furniture. People look at it in the evening and at weekends, and come for the sale.
func shop() *Website {
	sale := choices[*source]{
		{45, &source{landing: choices[string]{{1, "sale"}},
			campaigns: choices[campaign]{{2, campaign{name: "warehouse-sale", source: "Newsletter", medium: "email"}}}}},
		{35, &source{referrer: "instagram.com", landing: choices[string]{{1, "sale"}},
			campaigns: choices[campaign]{{1, campaign{name: "warehouse-sale", source: "instagram", medium: "paid-social", content: "reel"}}}}},
		{20, &source{landing: choices[string]{{1, "sale"}}}},
	}
	products := choices[ware]{{8, ware{"oak-stool", 8900}}, {6, ware{"ember-lamp", 12900}}, {5, ware{"linen-cushion", 3900}}, {4, ware{"walnut-shelf", 24900}},
		{3, ware{"rocking-chair", 44900}}, {2, ware{"dining-table", 119000}}}
	return &Website{
		Domain: "oak-and-ember.example", Timezone: "America/New_York", visits: 130, growth: 2.4,
		weekdays: [7]float64{1.32, 0.88, 0.84, 0.86, 0.9, 1.02, 1.28},
		hours:    hourShares(14, 8, 5, 4, 4, 7, 14, 24, 32, 38, 42, 46, 50, 46, 42, 42, 46, 54, 62, 72, 78, 70, 50, 28),
		surges:   []surge{{day: 118, times: 1.6, fading: 5, sources: sale}, {day: 331, times: 2.2, fading: 4, sources: sale}},
		places:   americans,
		devices:  choices[*device]{{22, &windows}, {14, &mac}, {1, &linux}, {36, &iphone}, {21, &android}, {6, &ipad}},
		landing:  choices[string]{{40, "home"}, {38, "product"}, {18, "category"}, {4, "service"}},
		sources: choices[*source]{
			{28, &source{}},
			{27, &source{referrer: "google.com", landing: choices[string]{{5, "product"}, {3, "category"}, {2, "home"}}}},
			{3, &source{referrer: "bing.com"}},
			{12, &source{referrer: "instagram.com", landing: choices[string]{{3, "product"}, {2, "home"}}}},
			{10, &source{referrer: "pinterest.com", landing: choices[string]{{1, "product"}}}},
			{4, &source{referrer: "apartmenttherapy.com", landing: choices[string]{{1, "product"}}}},
			{9, &source{referrer: "google.com", landing: choices[string]{{3, "product"}, {1, "category"}}, campaigns: choices[campaign]{
				{4, campaign{name: "shopping", source: "google", medium: "cpc", term: "oak stool"}},
				{3, campaign{name: "shopping", source: "google", medium: "cpc", term: "wooden lamp"}}}}},
			{7, &source{landing: choices[string]{{2, "category"}, {1, "product"}},
				campaigns: choices[campaign]{{3, campaign{name: "new-arrivals", source: "Newsletter", medium: "email", content: "picture"}}, {1, campaign{name: "abandoned-cart", source: "Newsletter", medium: "email", content: "button"}}}}},
		},
		sections: map[string]section{
			"home": {choices[string]{{1, "/"}}, 25 * time.Second, choices[string]{{38, leave}, {40, "category"}, {18, "product"}, {4, "service"}}, nil},
			"category": {choices[string]{{5, "/chairs"}, {4, "/lamps"}, {4, "/tables"}, {3, "/storage"}, {2, "/textiles"}, {1, "/chairs?sort=price"}}, 35 * time.Second,
				choices[string]{{28, leave}, {52, "product"}, {20, "category"}}, nil},
			"product": {choices[string]{{8, "/products/oak-stool"}, {6, "/products/ember-lamp"}, {5, "/products/linen-cushion"}, {4, "/products/walnut-shelf"}, {3, "/products/rocking-chair"},
				{2, "/products/dining-table"}}, 48 * time.Second, choices[string]{{50, leave}, {24, "product"}, {13, "category"}, {13, "cart"}},
				choices[deed]{{93, deed{}}, {7, deed{name: "Wishlist", prop: "product", of: products}}}},
			"sale": {choices[string]{{1, "/sale"}}, 30 * time.Second, choices[string]{{30, leave}, {64, "product"}, {6, "cart"}}, nil},
			"cart": {choices[string]{{1, "/cart"}}, 40 * time.Second, choices[string]{{38, leave}, {44, "checkout"}, {18, "product"}},
				choices[deed]{{1, deed{name: "Add to Cart", prop: "product", of: products}}}},
			"checkout": {choices[string]{{1, "/checkout"}}, 70 * time.Second, choices[string]{{35, leave}, {65, "thanks"}}, nil},
			"thanks": {choices[string]{{1, "/thank-you"}}, 25 * time.Second, choices[string]{{80, leave}, {20, "home"}},
				choices[deed]{{1, deed{name: "Purchase", prop: "product", unit: "USD", of: products}}}},
			"service": {choices[string]{{3, "/delivery"}, {2, "/returns"}, {2, "/our-workshop"}, {1, "/contact"}}, 40 * time.Second, choices[string]{{60, leave}, {25, "home"}, {15, "category"}},
				choices[deed]{{95, deed{}}, {5, deed{name: "Newsletter"}}}},
		},
	}
}
