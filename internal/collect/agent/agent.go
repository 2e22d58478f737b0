// Package agent tells browser, system and device from a User-Agent and its Client Hints, and people from bots. User
// agents are hostile text: whatever is sent, the answer comes in bounded time and holds only names of our tables and
// short numbers.
package agent

// Hints are what a browser says about itself beside its User-Agent. The zero value: none sent.
type Hints struct {
	Brands          []Brand // Sec-CH-UA, better Sec-CH-UA-Full-Version-List
	Platform        string  // "Windows", "macOS", "Android", …
	PlatformVersion string  // on Windows 13 and above are Windows 11
	Model           string  // "Pixel 9"; empty on desktops
	Mobile          bool
	TouchPoints     int // navigator.maxTouchPoints: tells an iPad from a Mac
}

// Brand is one name and version of Client Hints.
type Brand struct{ Name, Version string }

// Client is what is kept of a User-Agent. A field is empty when unknown.
type Client struct {
	Browser        string // "Chrome"
	BrowserVersion string // "129"; Safari's with the minor one, "17.4"
	OS             string // "Windows"
	OSVersion      string // "11"
	Device         string // Desktop, Mobile, Tablet or Other
}

// Devices. Other is a television, a console, a car, a watch, a speaker.
const (
	Desktop = "Desktop"
	Mobile  = "Mobile"
	Tablet  = "Tablet"
	Other   = "Other"
)

// maxAgent bounds what is read of a User-Agent. The longest of real browsers, those inside apps, have about 600 bytes.
const maxAgent = 1024

// Parse tells browser, system and device. Client Hints win where they know better: agents of today are frozen and claim
// Windows 10, macOS 10.15 or Android 10 whatever they run on. The result shares no memory with the arguments.
func Parse(userAgent string, h Hints) Client {
	r := read(cut(userAgent))
	r.settleSystem(h)
	browser, version := r.settleBrowser(h)
	return Client{
		Browser:        browser,
		BrowserVersion: browserVersion(browser, version),
		OS:             r.system.name,
		OSVersion:      systemVersion(r.system.name, r.system.version),
		Device:         r.device(h),
	}
}

func cut(userAgent string) string { return userAgent[:min(len(userAgent), maxAgent)] }
