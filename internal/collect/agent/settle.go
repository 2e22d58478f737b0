package agent

import "strings"

// settleSystem lets hints and touch correct what the agent says of its system.
func (r *reading) settleSystem(h Hints) {
	s := &r.system
	switch {
	case s.name == "Linux" && r.browser.name == "Silk": // Fire tablets in desktop dress
		s.name = "Android"
	case s.name == "Android" && strings.Contains(r.model, "Chromebook"):
		*s = claim{"ChromeOS", s.rank, ""}
	}
	if name := platforms[h.Platform]; name != "" {
		r.hintedSystem(name, h.PlatformVersion)
		return
	}
	switch {
	case s.name == "macOS" && h.TouchPoints > 1:
		// No Mac has a touch screen. An iPad's Safari has the version of its system.
		*s = claim{"iPadOS", s.rank, ""}
		if r.browser.name == "Safari" {
			s.version = r.version
		}
	case s.name == "macOS" && frozenMac(s.version), s.name == "Android" && r.model == "K":
		s.version = ""
	case (s.name == "iOS" || s.name == "iPadOS") && r.browser.name == "Safari" && major(r.version) >= 26:
		// Since Safari 26 the agent stays at system 18; both have the same version.
		s.version = r.version
	}
}

// platforms are Sec-CH-UA-Platform's names and ours.
var platforms = map[string]string{
	"Windows": "Windows", "macOS": "macOS", "Mac OS X": "macOS", "Android": "Android", "Chrome OS": "ChromeOS", "Chromium OS": "ChromeOS",
	"ChromeOS": "ChromeOS", "Linux": "Linux", "iOS": "iOS", "Fuchsia": "Fuchsia", "HarmonyOS": "HarmonyOS",
}

// hintedSystem takes the platform of hints, unless the agent names what its maker grew from it.
func (r *reading) hintedSystem(name, version string) {
	s := &r.system
	switch {
	case s.rank >= rankMaker && name != s.name: // Tizen says Linux, Xbox says Windows
		return
	case name == "Windows" && version != "":
		version = windowsOfHint(version)
	case version == "" && s.name == name:
		version = s.version
		if name == "macOS" && frozenMac(version) || name == "Android" && r.model == "K" {
			version = ""
		}
	}
	*s = claim{name, s.rank, version}
}

// frozenMac reports whether a version is the one that browsers on every later Mac claim.
func frozenMac(v string) bool { return v == "10_15_7" || v == "10.15" || v == "10.15.7" }

// settleBrowser chooses between what the agent claims and what the hints say.
func (r *reading) settleBrowser(h Hints) (name, version string) {
	b := r.browser
	if b.rank < rankApp {
		if name, version, ok := brandOf(h.Brands); ok && !(plain(name) && b.rank >= rankBrowser) {
			return name, version
		}
	}
	switch b.name {
	case "Safari":
		return r.safari()
	case "Chrome":
		if r.marks&markWebView != 0 || r.system.name == "Android" && r.version == "4.0" {
			return "Android WebView", b.version
		}
	case "Internet Explorer":
		if major(b.version) == 7 && r.rv != "" { // Trident/7.0; rv:11.0
			return b.name, r.rv
		}
	case "Opera":
		if b.rank == rankOffer && r.version != "" { // Opera/9.80 … Version/12.16
			return b.name, r.version
		}
	case "GNOME Web": // Version/26.0 … Epiphany/605.1.15
		return b.name, r.version
	case "":
		return r.engine()
	}
	return b.name, b.version
}

// safari tells Safari from Android's old browser, which names itself Safari too.
func (r *reading) safari() (name, version string) {
	switch r.system.name {
	case "Android":
		return "Android Browser", r.version
	case "Symbian":
		return "Nokia Browser", r.version
	case "BlackBerry":
		return "BlackBerry Browser", r.version
	case "Tizen":
		return "Tizen Browser", r.version
	}
	return "Safari", r.version
}

// engine names what has an engine only: a page shown inside an app.
func (r *reading) engine() (name, version string) {
	switch {
	case r.marks&markWebKit == 0:
		return "", ""
	case r.system.name == "iOS" || r.system.name == "iPadOS":
		return "iOS WebView", r.system.version
	case r.system.name == "macOS":
		return "Safari", r.version
	case r.system.name == "Android":
		return "Android Browser", r.version
	}
	return "", ""
}
