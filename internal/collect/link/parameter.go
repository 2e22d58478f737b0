package link

import "strings"

// A field is one of the texts of a campaign.
type field uint8

const (
	ofCampaign field = iota + 1
	ofSource
	ofMedium
	ofTerm
	ofContent

	numFields
)

func (p *Page) field(f field) *string {
	return [...]*string{nil, &p.Campaign, &p.Source, &p.Medium, &p.Term, &p.Content}[f]
}

// A parameter is one that says something about the visit or the visitor, not about the page. It is always stripped.
type parameter struct {
	name  string // in lower case; one that ends in * stands for all that begin so
	help  string
	fills field // field of the campaign that it fills, 0 for none; of several the first in the table counts

	from string // name of the site whose click id it is
	paid bool   // the click was paid for
	long bool   // it is stripped only if its value is as long as session ids are
}

const minSessionBytes = 16

// parameters are all that are stripped without being asked for.
var parameters = []parameter{
	{name: "utm_campaign", help: "campaign", fills: ofCampaign},
	{name: "utm_source", help: "source", fills: ofSource},
	{name: "utm_medium", help: "medium", fills: ofMedium},
	{name: "utm_term", help: "search term", fills: ofTerm},
	{name: "utm_content", help: "content", fills: ofContent},
	{name: "mtm_campaign", help: "Matomo, campaign", fills: ofCampaign},
	{name: "mtm_source", help: "Matomo, source", fills: ofSource},
	{name: "mtm_medium", help: "Matomo, medium", fills: ofMedium},
	{name: "mtm_keyword", help: "Matomo, search term", fills: ofTerm},
	{name: "mtm_content", help: "Matomo, content", fills: ofContent},
	{name: "mtm_cpn", help: "Matomo, campaign", fills: ofCampaign},
	{name: "mtm_kwd", help: "Matomo, search term", fills: ofTerm},
	{name: "matomo_campaign", help: "Matomo, campaign", fills: ofCampaign},
	{name: "matomo_source", help: "Matomo, source", fills: ofSource},
	{name: "matomo_medium", help: "Matomo, medium", fills: ofMedium},
	{name: "matomo_keyword", help: "Matomo, search term", fills: ofTerm},
	{name: "matomo_kwd", help: "Matomo, search term", fills: ofTerm},
	{name: "matomo_content", help: "Matomo, content", fills: ofContent},
	{name: "pk_campaign", help: "Piwik, campaign", fills: ofCampaign},
	{name: "pk_source", help: "Piwik, source", fills: ofSource},
	{name: "pk_medium", help: "Piwik, medium", fills: ofMedium},
	{name: "pk_keyword", help: "Piwik, search term", fills: ofTerm},
	{name: "pk_content", help: "Piwik, content", fills: ofContent},
	{name: "pk_cpn", help: "Piwik, campaign", fills: ofCampaign},
	{name: "pk_kwd", help: "Piwik, search term", fills: ofTerm},
	{name: "piwik_campaign", help: "Piwik, campaign", fills: ofCampaign},
	{name: "piwik_keyword", help: "Piwik, search term", fills: ofTerm},
	{name: "piwik_kwd", help: "Piwik, search term", fills: ofTerm},
	{name: "utm_name", help: "campaign, an older name", fills: ofCampaign},
	{name: "utm_keyword", help: "search term, an older name", fills: ofTerm},
	{name: "source", help: "source, in short", fills: ofSource},
	{name: "ref", help: "source, in short", fills: ofSource},

	{name: "utm_*", help: "what else tools add to campaigns"},
	{name: "mtm_*", help: "Matomo, what else there is"},
	{name: "matomo_*", help: "Matomo, what else there is"},
	{name: "pk_*", help: "Piwik, what else there is"},
	{name: "piwik_*", help: "Piwik, what else there is"},
	{name: "hsa_*", help: "HubSpot, advertisement"},
	{name: "oly_*", help: "Omeda, reader"},
	{name: "_bta_*", help: "Bronto, recipient"},
	{name: "at_recipient_*", help: "Piano Analytics, recipient"},
	{name: "at_medium", help: "Piano Analytics, medium", fills: ofMedium},
	{name: "at_campaign", help: "Piano Analytics, campaign", fills: ofCampaign},
	{name: "aspsessionid*", help: "ASP, session"},
	{name: "_branch_*", help: "Branch, link"},
	{name: "mkwid*", help: "Marin, advertisement"},

	{name: "gclid", help: "Google Ads, click", from: "Google", paid: true},
	{name: "gbraid", help: "Google Ads, click in an app", from: "Google", paid: true},
	{name: "wbraid", help: "Google Ads, click towards an app", from: "Google", paid: true},
	{name: "gad_source", help: "Google Ads, kind of click", from: "Google", paid: true},
	{name: "gad_campaignid", help: "Google Ads, campaign", from: "Google", paid: true},
	{name: "gclsrc", help: "Google Ads, product of the click"},
	{name: "dclid", help: "Google Display & Video 360, click", paid: true},
	{name: "srsltid", help: "Google Merchant Center, listing", from: "Google"},
	{name: "msclkid", help: "Microsoft Advertising, click", from: "Bing", paid: true},
	{name: "fbclid", help: "Facebook, click", from: "Facebook"},
	{name: "igshid", help: "Instagram, share", from: "Instagram"},
	{name: "igsh", help: "Instagram, share", from: "Instagram"},
	{name: "ttclid", help: "TikTok, click on an advertisement", from: "TikTok", paid: true},
	{name: "twclid", help: "X, click on an advertisement", from: "X (Twitter)", paid: true},
	{name: "li_fat_id", help: "LinkedIn, click on an advertisement", from: "LinkedIn", paid: true},
	{name: "rdt_cid", help: "Reddit, click on an advertisement", from: "Reddit", paid: true},
	{name: "sccid", help: "Snapchat, click on an advertisement", from: "Snapchat", paid: true},
	{name: "qclid", help: "Quora, click on an advertisement", from: "Quora", paid: true},
	{name: "epik", help: "Pinterest, click", from: "Pinterest"},
	{name: "yclid", help: "Yandex Direct, click", from: "Yandex", paid: true},
	{name: "ysclid", help: "Yandex, click on a result", from: "Yandex"},
	{name: "ymclid", help: "Yandex Market, click", from: "Yandex Market", paid: true},
	{name: "_openstat", help: "Openstat, advertisement"},
	{name: "tblci", help: "Taboola, click", paid: true},
	{name: "dicbo", help: "Outbrain, click", paid: true},
	{name: "obclid", help: "Outbrain, click", paid: true},
	{name: "rb_clid", help: "Rockerbox, click"},
	{name: "vmcid", help: "Yahoo, click", paid: true},
	{name: "s_kwcid", help: "Adobe Advertising, keyword", paid: true},
	{name: "ef_id", help: "Adobe Advertising, click", paid: true},
	{name: "s_cid", help: "Adobe Analytics, campaign"},
	{name: "wickedid", help: "Wicked Reports, click"},
	{name: "wickedsource", help: "Wicked Reports, source"},
	{name: "mkcid", help: "eBay Partner Network, channel"},
	{name: "mkevt", help: "eBay Partner Network, event"},
	{name: "mkrid", help: "eBay Partner Network, rotation"},
	{name: "cjevent", help: "CJ Affiliate, click"},
	{name: "irclickid", help: "Impact, click"},
	{name: "irgwc", help: "Impact, kind of click"},
	{name: "awc", help: "Awin, click"},
	{name: "sscid", help: "ShareASale, click"},
	{name: "ranmid", help: "Rakuten, advertiser"},
	{name: "raneaid", help: "Rakuten, publisher"},
	{name: "ransiteid", help: "Rakuten, click"},
	{name: "tduid", help: "Tradedoubler, click"},
	{name: "admitad_uid", help: "Admitad, click"},
	{name: "clickid", help: "affiliate networks, click"},
	{name: "click_id", help: "affiliate networks, click"},
	{name: "gdfms", help: "GoDataFeed, click"},
	{name: "gdftrk", help: "GoDataFeed, click"},
	{name: "gdffi", help: "GoDataFeed, feed"},
	{name: "xtor", help: "AT Internet, campaign"},
	{name: "cmpid", help: "campaign, as some newspapers write it"},
	{name: "ncid", help: "campaign, as some newspapers write it"},

	{name: "_ga", help: "Google Analytics, visitor"},
	{name: "_gl", help: "Google Analytics, visitor on another domain"},
	{name: "_gac", help: "Google Analytics, click"},
	{name: "ga_source", help: "Google Analytics, source"},
	{name: "ga_medium", help: "Google Analytics, medium"},
	{name: "ga_campaign", help: "Google Analytics, campaign"},
	{name: "ga_term", help: "Google Analytics, search term"},
	{name: "ga_content", help: "Google Analytics, content"},
	{name: "_hsenc", help: "HubSpot, recipient"},
	{name: "_hsmi", help: "HubSpot, mailing"},
	{name: "__hstc", help: "HubSpot, visitor"},
	{name: "__hssc", help: "HubSpot, session"},
	{name: "__hsfp", help: "HubSpot, fingerprint"},
	{name: "hsctatracking", help: "HubSpot, call to action"},
	{name: "mc_cid", help: "Mailchimp, mailing"},
	{name: "mc_eid", help: "Mailchimp, recipient"},
	{name: "mc_tc", help: "Mailchimp, tracking"},
	{name: "mkt_tok", help: "Marketo, recipient"},
	{name: "vero_id", help: "Vero, recipient"},
	{name: "vero_conv", help: "Vero, conversion"},
	{name: "ml_subscriber", help: "MailerLite, recipient"},
	{name: "ml_subscriber_hash", help: "MailerLite, recipient"},
	{name: "ck_subscriber_id", help: "Kit, recipient"},
	{name: "_kx", help: "Klaviyo, recipient"},
	{name: "_ke", help: "Klaviyo, recipient"},
	{name: "dm_i", help: "Dotdigital, recipient"},
	{name: "sc_src", help: "Emarsys, source"},
	{name: "sc_uid", help: "Emarsys, recipient"},
	{name: "sc_lid", help: "Emarsys, link"},
	{name: "sc_eh", help: "Emarsys, recipient"},
	{name: "sc_llid", help: "Emarsys, mailing"},
	{name: "elqtrackid", help: "Eloqua, recipient"},
	{name: "elqtrack", help: "Eloqua, tracking"},
	{name: "elqaid", help: "Eloqua, mailing"},
	{name: "elqat", help: "Eloqua, kind of mailing"},
	{name: "elqcampaignid", help: "Eloqua, campaign"},
	{name: "elq", help: "Eloqua, recipient"},
	{name: "sfmc_id", help: "Salesforce Marketing Cloud, recipient"},
	{name: "sfmc_activityid", help: "Salesforce Marketing Cloud, mailing"},
	{name: "et_rid", help: "Salesforce Marketing Cloud, recipient"},
	{name: "et_cid", help: "Salesforce Marketing Cloud, mailing"},
	{name: "iterable_campaign", help: "Iterable, campaign"},
	{name: "bsft_uid", help: "Blueshift, recipient"},
	{name: "bsft_clkid", help: "Blueshift, click"},
	{name: "trk_contact", help: "Listrak, recipient"},
	{name: "trk_msg", help: "Listrak, mailing"},
	{name: "trk_module", help: "Listrak, part of a mailing"},
	{name: "trk_sid", help: "Listrak, session"},
	{name: "nr_email_referer", help: "Naver, mailing"},
	{name: "inf_contact_key", help: "Keap, recipient"},
	{name: "wt_zmc", help: "Mapp, campaign"},
	{name: "spm", help: "Alibaba, place of the link"},
	{name: "ref_src", help: "X, embedding page"},
	{name: "ref_url", help: "X, embedding page"},
	{name: "si", help: "YouTube and Spotify, share", long: true},
	{name: "mibextid", help: "Facebook, app that shared"},
	{name: "guccounter", help: "Yahoo, consent"},
	{name: "guce_referrer", help: "Yahoo, referrer"},
	{name: "guce_referrer_sig", help: "Yahoo, referrer"},
	{name: "__twitter_impression", help: "X, impression"},
	{name: "_x_tr_sl", help: "Google Translate, language"},
	{name: "_x_tr_tl", help: "Google Translate, language"},
	{name: "_x_tr_hl", help: "Google Translate, language"},
	{name: "_x_tr_pto", help: "Google Translate, entry"},
	{name: "_x_tr_hist", help: "Google Translate, history"},

	{name: "phpsessid", help: "PHP, session"},
	{name: "jsessionid", help: "Java, session"},
	{name: "cfid", help: "ColdFusion, session"},
	{name: "cftoken", help: "ColdFusion, session"},
	{name: "oscsid", help: "osCommerce, session"},
	{name: "zenid", help: "Zen Cart, session"},
	{name: "sessionid", help: "session"},
	{name: "session_id", help: "session"},
	{name: "sid", help: "session", long: true},
	{name: "access_token", help: "secret"},
	{name: "id_token", help: "secret"},
	{name: "refresh_token", help: "secret"},
	{name: "auth_token", help: "secret"},
	{name: "token", help: "secret"},
	{name: "password", help: "secret"},
	{name: "passwd", help: "secret"},
	{name: "pwd", help: "secret"},
	{name: "api_key", help: "secret"},
	{name: "apikey", help: "secret"},
	{name: "client_secret", help: "secret"},
	{name: "email", help: "person"},
	{name: "e-mail", help: "person"},
	{name: "email_address", help: "person"},
}

// parameterRows are the rows of parameters by name; parameterPrefixes are those whose name ends in a star.
var parameterRows, parameterPrefixes = func() (byName map[string]int, byPrefix []int) {
	byName = map[string]int{}
	for row, p := range parameters {
		if strings.HasSuffix(p.name, "*") {
			byPrefix = append(byPrefix, row)
		}
		byName[p.name] = row
	}
	return byName, byPrefix
}()

// maxNameBytes is more than any name in parameters has.
const maxNameBytes = 32

// parameterNamed is the row in parameters of a name, or -1.
func parameterNamed(name []byte) int {
	var room [maxNameBytes]byte
	lower := room[:copy(room[:], name)]
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	if len(name) <= maxNameBytes {
		if row, ok := parameterRows[string(lower)]; ok {
			return row
		}
	}
	for _, row := range parameterPrefixes {
		n := len(parameters[row].name) - 1
		if len(lower) >= n && string(lower[:n]) == parameters[row].name[:n] {
			return row
		}
	}
	return -1
}
