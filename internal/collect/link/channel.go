package link

import (
	"slices"
	"strings"
)

// A visit is what is known when its channel is decided. Its texts, which are those of its campaign, are in lower case.
type visit struct {
	source, medium, campaign string

	kind  kind // of the site that it comes from
	known bool // there is a source, by campaign or by referrer
	paid  bool
}

// A rule makes a channel of visits.
type rule struct {
	channel string
	when    string // in words, for docs/sources.md
	is      func(v visit) bool
}

// channels are the rules of all channels. The first that fits counts; the last always does. They are those of Google
// Analytics, with AI Assistants for what it does not know, and Referral for all that is left.
var channels = []rule{
	{"Cross-network", "the campaign contains `cross-network`", func(v visit) bool {
		return strings.Contains(v.campaign, "cross-network")
	}},
	{"Paid Shopping", "paid, and the source is a shop or the campaign names shopping", func(v visit) bool {
		return v.paid && (v.kind == shopping || namesShop(v.campaign))
	}},
	{"Paid Search", "paid, and the source is a search engine", func(v visit) bool {
		return v.paid && v.kind == search
	}},
	{"Paid Social", "paid, and the source is a social network", func(v visit) bool {
		return v.paid && v.kind == social
	}},
	{"Paid Video", "paid, and the source is a video site", func(v visit) bool {
		return v.paid && v.kind == video
	}},
	{"Display", "the medium is `display`, `banner`, `expandable`, `interstitial` or `cpm`", func(v visit) bool {
		return oneOf(v.medium, "display", "banner", "expandable", "interstitial", "cpm")
	}},
	{"Paid Other", "paid", func(v visit) bool {
		return v.paid
	}},
	{"Organic Shopping", "the source is a shop, or the campaign names shopping", func(v visit) bool {
		return v.kind == shopping || namesShop(v.campaign)
	}},
	{"Organic Social", "the source is a social network, or the medium is `social`, `social-network`, `social-media`, `social_media`, `social network`, `social media` or `sm`",
		func(v visit) bool {
			return v.kind == social || oneOf(v.medium, "social", "social-network", "social-media", "social_media", "social network", "social media", "sm")
		}},
	{"Organic Video", "the source is a video site, or the medium contains `video`", func(v visit) bool {
		return v.kind == video || strings.Contains(v.medium, "video")
	}},
	{"AI Assistants", "the source is an AI assistant, or the medium is `ai`, `ai-assistant`, `chatbot` or `llm`", func(v visit) bool {
		return v.kind == assistant || oneOf(v.medium, "ai", "ai-assistant", "chatbot", "llm")
	}},
	{"Organic Search", "the source is a search engine, or the medium is `organic`", func(v visit) bool {
		return v.kind == search || v.medium == "organic"
	}},
	{"Email", "the source is a mailbox, or source or medium contain `email`, `e-mail`, `e_mail`, `e mail` or `newsletter`", func(v visit) bool {
		return v.kind == email || namesEmail(v.source) || namesEmail(v.medium)
	}},
	{"Affiliates", "the medium is `affiliate` or `affiliates`", func(v visit) bool {
		return oneOf(v.medium, "affiliate", "affiliates")
	}},
	{"Audio", "the medium is `audio` or `podcast`", func(v visit) bool {
		return oneOf(v.medium, "audio", "podcast")
	}},
	{"SMS", "the source or the medium is `sms`", func(v visit) bool {
		return v.source == "sms" || v.medium == "sms"
	}},
	{"Mobile Push Notifications", "the medium ends in `push` or contains `mobile` or `notification`, or the source is `firebase`", func(v visit) bool {
		return strings.HasSuffix(v.medium, "push") || strings.Contains(v.medium, "mobile") || strings.Contains(v.medium, "notification") ||
			v.source == "firebase"
	}},
	{"Referral", "there is any source, medium or campaign", func(v visit) bool {
		return v.known || v.medium != "" || v.campaign != ""
	}},
	{"Direct", "always", func(visit) bool { return true }},
}

// channel is the channel of the first rule that fits.
func (v visit) channel() string {
	for i := range channels {
		if channels[i].is(v) {
			return channels[i].channel
		}
	}
	panic("the last rule fits always")
}

func oneOf(s string, texts ...string) bool { return s != "" && slices.Contains(texts, s) }

// isPaid tells whether a medium, in lower case, is paid for: cpc, cpm, ppc, retargeting, paid-social and so on.
func isPaid(medium string) bool {
	return strings.Contains(medium, "cp") || medium == "ppc" || medium == "retargeting" || strings.HasPrefix(medium, "paid")
}

// namesShop tells whether a campaign names shopping: "spring-shop", "e-shop", "eshop", not "workshop" or "bishop".
func namesShop(campaign string) bool {
	for i, rest := 0, campaign; ; {
		n := strings.Index(rest, "shop")
		if n < 0 {
			return false
		}
		i, rest = i+n, rest[n+len("shop"):]
		if i == 0 || campaign[i-1] == 'e' || campaign[i-1] < 'a' || campaign[i-1] > 'z' || strings.HasPrefix(rest, "ping") {
			return true
		}
		i += len("shop")
	}
}

func namesEmail(s string) bool {
	return strings.Contains(s, "mail") && (strings.Contains(s, "email") || strings.Contains(s, "e-mail") ||
		strings.Contains(s, "e_mail") || strings.Contains(s, "e mail")) || strings.Contains(s, "newsletter")
}
