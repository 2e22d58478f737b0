package collect

// A Drop is why a hit does not count. "" means that it does.
type Drop string

// The reasons. They are part of the interface and never change their meaning.
const (
	UnknownWebsite Drop = "unknown_website"
	TooOld         Drop = "too_old"
	ExcludedIP     Drop = "excluded_ip"
	Bot            Drop = "bot"
	DataCenter     Drop = "datacenter"
	Spam           Drop = "spam"
	PrivacySignal  Drop = "privacy_signal"
	BadURL         Drop = "bad_url"
)

// A Reason is a Drop with the words that its owner reads.
type Reason struct {
	Drop Drop
	Text string
}

// Reasons are all reasons, in the order in which a hit is held against them.
var Reasons = []Reason{
	{UnknownWebsite, "The domain is not registered here."},
	{TooOld, "It happened more than 48 hours before it arrived."},
	{ExcludedIP, "The address is one that this website excludes."},
	{Bot, "It came from a bot, a crawler or an automated browser."},
	{DataCenter, "The address is that of a data centre, where no visitors are."},
	{Spam, "The referrer is known for referrer spam."},
	{PrivacySignal, "The browser asked not to be tracked, and that is honoured here."},
	{BadURL, "The address of the page is none that a visitor can be on."},
}

// Text is what the owner of a website reads.
func (d Drop) Text() string {
	for _, r := range Reasons {
		if r.Drop == d {
			return r.Text
		}
	}
	return ""
}
