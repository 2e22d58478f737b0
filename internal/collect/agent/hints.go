package agent

import "strings"

// maxHeader and maxBrands bound what is read of Client Hints.
const (
	maxHeader = 1024
	maxBrands = 16
)

// ParseBrands reads Sec-CH-UA or Sec-CH-UA-Full-Version-List, a list of "name";v="version". What cannot be read is left
// out. The result shares memory with the header.
func ParseBrands(header string) []Brand {
	var all []Brand
	rest := header[:min(len(header), maxHeader)]
	for len(all) < maxBrands {
		name, after, ok := quoted(rest)
		if !ok {
			break
		}
		b := Brand{Name: name}
		rest = after
		if v, ok := strings.CutPrefix(strings.TrimLeft(after, " "), ";v="); ok {
			b.Version, rest, ok = quoted(v)
			if !ok {
				break
			}
		}
		all = append(all, b)
	}
	return all
}

// quoted takes the next text in quotation marks; a backslash takes the sign after it as it is.
func quoted(s string) (text, rest string, ok bool) {
	from := strings.IndexByte(s, '"') + 1
	if from == 0 {
		return "", "", false
	}
	for i := from; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return s[from:i], s[i+1:], true
		}
	}
	return "", "", false
}

// brands are the names of Client Hints and ours. Chromium and the made-up brands that keep lists honest are no names.
var brands = map[string]string{
	"Google Chrome": "Chrome", "Microsoft Edge": "Edge", "Opera": "Opera", "Opera GX": "Opera", "OperaMobile": "Opera", "Opera Mobile": "Opera",
	"Opera Air": "Opera", "Brave": "Brave", "Vivaldi": "Vivaldi",
	"YaBrowser": "Yandex Browser", "Yandex": "Yandex Browser", "Yowser": "Yandex Browser", "Samsung Internet": "Samsung Internet", "DuckDuckGo": "DuckDuckGo",
	"Whale": "Whale", "Avast Secure Browser": "Avast Secure Browser", "AVG Secure Browser": "AVG Secure Browser",
	"CCleaner Browser": "CCleaner Browser", "Norton Private Browser": "Norton Private Browser", "Avira Secure Browser": "Avira Secure Browser",
	"CocCoc": "Coc Coc", "Coc Coc": "Coc Coc", "Oculus Browser": "Meta Quest Browser", "Meta Quest Browser": "Meta Quest Browser",
	"HuaweiBrowser": "Huawei Browser", "Huawei Browser": "Huawei Browser", "HonorBrowser": "HONOR Browser", "Mi Browser": "Mi Browser", "Miui Browser": "Mi Browser",
	"XiaoMiBrowser": "Mi Browser", "HeyTapBrowser": "HeyTap Browser", "vivoBrowser": "vivo Browser", "Quark": "Quark", "QuarkPC": "Quark",
	"Silk": "Silk", "Amazon Silk": "Silk", "Ecosia": "Ecosia", "Android WebView": "Android WebView", "Arc": "Arc", "Wolvic": "Wolvic", "Sogou Explorer": "Sogou Explorer",
	"360 Browser": "360 Browser", "UCBrowser": "UC Browser", "Comet": "Comet", "Perplexity": "Comet", "Dia": "Dia", "ChatGPT Atlas": "ChatGPT",
	"Aloha Browser": "Aloha", "Phoenix": "Phoenix Browser", "Puffin": "Puffin",
}

// brandOf is the browser that hints name, the most particular one; ok is false if they name none we know.
func brandOf(all []Brand) (name, version string, ok bool) {
	for _, b := range all[:min(len(all), maxBrands)] {
		known := brands[b.Name]
		if known == "" || ok && plain(known) {
			continue
		}
		name, version, ok = known, b.Version, true
	}
	return name, version, ok
}

// plain reports whether a brand is what others are built on, so that any other name says more.
func plain(name string) bool { return name == "Chrome" || name == "Android WebView" }

// headless reports whether hints name a browser without a window.
func headless(all []Brand) bool {
	for _, b := range all[:min(len(all), maxBrands)] {
		if strings.Contains(b.Name, "Headless") {
			return true
		}
	}
	return false
}
