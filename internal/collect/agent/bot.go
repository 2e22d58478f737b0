package agent

import (
	"strings"
	"sync"
)

//go:generate go run generate.go

// longAgent is more than any browser sends: only what wants to break a parser does.
const longAgent = 2048

// Bot reports whether a User-Agent belongs to a program rather than to a person's browser: by words that bots have, and
// by the form that browsers have. Agents without one, tools and libraries, are told by their form even if unknown.
func Bot(userAgent string) bool {
	agent := strings.TrimSpace(cut(userAgent))
	return len(userAgent) > longAgent || botWords().find(agent) || !browserForm(agent)
}

var botWords = sync.OnceValue(func() *matcher { return newMatcher(append(strings.Split(listed, "\n"), ownWords...)) })

// ownWords are what names of bots have in common, so that those of tomorrow are found, and names beside the public lists.
var ownWords = []string{
	// What they do.
	"bot>", "bots>", "!cubot", "crawl", "spider", "slurp", "scrap", "scan>", "scanner", "scanning", "fetch", "preview", "monitor",
	"checker", "validator", "indexer", "harvest", "headless", "webdriver", "lighthouse", "screenshot", "thumbnail", "favicon",
	"uptime", "healthcheck", "health check", "probe>", "sitemap", "research", "survey", "unfurl", "aggregator", "archiver",
	"extractor", "verifier", "verification", "webhook", "linkexpander", "prerender", "webmaster", "pinger",

	// Who to ask: browsers give no address.
	"http", "www.", ".com>", ".org>", ".html", "mailto:", "@gmail", "subscribers", "+info", "; +h",

	// Libraries and tools.
	"<curl", "libcurl", "wget", "<python", "-python", "<java/", "<java1", "<perl", "<ruby/", "golang", "node.js", "nodejs", "axios",
	"<got/", "undici", "guzzle", "postman", "insomnia/", "libwww", "go-resty", "powershell", "jmeter", "<k6/", "gatling", "locust",
	"zgrab", "masscan", "<nuclei", "gobuster", "sqlmap", "nmap", "wpscan", "jndi:", "${", "puppeteer", "playwright", "selenium",
	"phantomjs", "slimerjs", "casperjs", "testcafe", "chrome/w.", "htmlunit", "jsdom", "<splash ",

	// AI: crawlers, assistants that read for somebody, browsing agents.
	"chatgpt-", "chatgpt agent", "<oai-", "<openai", "<claude-", "anthropic", "perplexity-user", "googleother", "bard-ai", "gemini-",
	"<cohere", "mistralai", "kimi-user", "grok-", "<xai-", "meta-external", "<jina-", "jinareader", "<exa-", "tavily", "brightdata",
	"novaact", "nova act", "browser-use", "browserbase", "stagehand", "skyvern", "<devin/", "manus-", "<operator/", "duckassist",
	"amazon-q", "ai-user", "-user/", "ai-agent", "agentic", "<llm", "llm-", "img2dataset", "trafilatura", "newspaper/",

	// Google's, which share a beginning with its browsers inside apps.
	"google-", "-google>", "google web", "googleimageproxy", "googledocs", "googleproducer", "googleassociation", "googlestackdriver",
	"feedburner", "mediapartners", "<yandex.", "<yandexmetrika", "sogou web", "baidu-", "<yahoo", "facebookexternal",
	"facebookcatalog", "facebookplatform", "facebookua",
}

// browserForm reports whether an agent is built as those of browsers and apps are.
func browserForm(agent string) bool {
	if len(agent) >= 8 && strings.EqualFold(agent[:8], "Mozilla/") {
		return mozillaForm(agent)
	}
	for _, begin := range [...]string{"Opera/", "iPhone", "iPad", "smarttv_", "HbbTV/"} {
		if len(agent) > len(begin) && strings.EqualFold(agent[:len(begin)], begin) {
			return true
		}
	}
	// Old phones, consoles, apps: those name a system, or at least a browser with one.
	r := read(agent)
	switch r.system.name {
	case "":
		return r.placed() && r.browser.name != ""
	case "Linux", "Windows", "macOS", "FreeBSD":
		return r.browser.name != "" || strings.Contains(agent, "CFNetwork")
	}
	return true
}

// mozillaForm: a browser that claims to be Mozilla says where it runs and which engine it has.
func mozillaForm(agent string) bool {
	r := read(agent)
	if strings.Contains(agent, "ompatible;") && !compatible(agent) {
		return false
	}
	if strings.HasPrefix(agent, "Mozilla/5.0 (") && r.marks&markWebKit != 0 && r.marks&markSafari != 0 { // a thing we never heard of
		return true
	}
	return r.placed() && (r.browser.name != "" || r.marks&markWebKit != 0 || r.system.name == "Android")
}

// placed reports whether an agent says what it runs on.
func (r *reading) placed() bool {
	return r.system.name != "" || r.marks&(markMobile|markTablet|markOther) != 0
}

// compatible: only Internet Explorer and Konqueror called themselves compatible; since then it is how bots begin.
func compatible(agent string) bool {
	for _, browser := range [...]string{"MSIE", "Konqueror", "Webpositive", "Opera", "NetFront", "Trident"} {
		if strings.Contains(agent, browser) {
			return true
		}
	}
	return false
}
