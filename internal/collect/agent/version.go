package agent

import (
	"strconv"
	"strings"
	"sync"
)

// Versions are few on purpose: each is a row of a report. The major one tells most; where people say both, both.

func browserVersion(browser, version string) string {
	if browser == "Safari" || browser == "iOS WebView" {
		return dotted(version)
	}
	return whole(version)
}

func systemVersion(system, version string) string {
	switch system {
	case "Windows":
		return windows(version)
	case "macOS":
		if major(version) >= 11 {
			return whole(version)
		}
		return dotted(version)
	case "Android":
		if major(version) >= 5 {
			return whole(version)
		}
		return dotted(version)
	case "iOS", "iPadOS", "KaiOS", "Tizen", "Windows Phone":
		return dotted(version)
	case "HarmonyOS", "visionOS":
		return whole(version)
	}
	return ""
}

// windows names a version by the number of its kernel. Browsers on 11 say 10.0 as well; only hints tell.
func windows(version string) string {
	switch version {
	case "10.0", "10":
		return "10"
	case "11", "8.1", "8", "7", "98", "95":
		return version
	case "6.3":
		return "8.1"
	case "6.2":
		return "8"
	case "6.1":
		return "7"
	case "6.0":
		return "Vista"
	case "5.1", "5.2":
		return "XP"
	case "5.0":
		return "2000"
	}
	return ""
}

// windowsOfHint names a version by Sec-CH-UA-Platform-Version.
func windowsOfHint(version string) string {
	switch n := major(version); {
	case n >= 13:
		return "11"
	case n >= 1:
		return "10"
	case strings.HasPrefix(version, "0.3"):
		return "8.1"
	case strings.HasPrefix(version, "0.2"):
		return "8"
	case strings.HasPrefix(version, "0.1"):
		return "7"
	}
	return ""
}

// whole is the major version, dotted the major and minor one. Both are "" for what is no version.
func whole(version string) string {
	n, _ := number(version)
	if n <= 0 {
		return ""
	}
	return digits(n)
}

func dotted(version string) string {
	n, rest := number(version)
	if n < 0 {
		return ""
	}
	if rest == "" || rest[0] != '.' && rest[0] != '_' {
		return digits(n)
	}
	m, _ := number(rest[1:])
	if m <= 0 {
		return digits(n)
	}
	if n < len(pairs()) && m < len(pairs()[0]) {
		return pairs()[n][m]
	}
	return digits(n)
}

// major is the major version, or -1.
func major(version string) int { n, _ := number(version); return n }

// maxVersion bounds the versions that are kept; above are build numbers and nonsense.
const maxVersion = 1000

// number reads leading digits; -1 if there are none or too many.
func number(s string) (n int, rest string) {
	i := 0
	for ; i < len(s) && isDigit(s[i]); i++ {
		if n = n*10 + int(s[i]-'0'); n >= maxVersion {
			return -1, ""
		}
	}
	if i == 0 {
		return -1, ""
	}
	return n, s[i:]
}

func digits(n int) string { return singles()[n] }

// singles and pairs are the texts of versions, made once: a result shares no memory with a request.
var singles = sync.OnceValue(func() *[maxVersion]string {
	var t [maxVersion]string
	for i := range t {
		t[i] = strconv.Itoa(i)
	}
	return &t
})

var pairs = sync.OnceValue(func() *[64][32]string {
	var t [64][32]string
	for i := range t {
		for j := range t[i] {
			t[i][j] = strconv.Itoa(i) + "." + strconv.Itoa(j)
		}
	}
	return &t
})
