package agent

// device tells Desktop, Mobile, Tablet and Other apart, or "" for what says nothing about it.
func (r *reading) device(h Hints) string {
	if r.marks&markOther != 0 || r.browser.name == "Tesla" {
		return Other
	}
	switch r.system.name {
	case "Android", "HarmonyOS":
		return r.android(h)
	case "iOS":
		if r.marks&markTablet != 0 {
			return Tablet
		}
		return Mobile
	case "iPadOS":
		return Tablet
	case "Windows", "macOS", "ChromeOS", "FreeBSD", "OpenBSD", "NetBSD", "Solaris", "Haiku", "AmigaOS":
		return Desktop
	case "Linux":
		return r.linux(h)
	case "BlackBerry":
		if r.marks&markTablet != 0 {
			return Tablet
		}
		return Mobile
	case "Windows Phone", "KaiOS", "Symbian", "Java ME", "MRE", "Brew", "Bada", "Sailfish OS":
		return Mobile
	case "":
		return r.marked(h, "")
	case "Tizen":
		if kindOf(r.model) == Other {
			return Other
		}
		return r.marked(h, Other)
	}
	return Other
}

// marked goes by what the agent says of itself.
func (r *reading) marked(h Hints, otherwise string) string {
	switch {
	case r.marks&markTablet != 0:
		return Tablet
	case r.marks&markMobile != 0 || h.Mobile:
		return Mobile
	}
	return otherwise
}

// linux: every desktop says X11; what does not is a television or a thing.
func (r *reading) linux(h Hints) string {
	if r.marks&markX11 != 0 {
		return r.marked(h, Desktop)
	}
	if h.Platform == "Linux" {
		return Desktop
	}
	return r.marked(h, Other)
}

// android goes by the kind of the model where its name tells, else by Mobile, which phones say and tablets do not.
func (r *reading) android(h Hints) string {
	model := h.Model[:min(len(h.Model), maxModel)]
	if model == "" {
		model = r.model
	}
	switch kind := kindOf(model); {
	case kind != "":
		return kind
	case r.marks&markTablet != 0:
		return Tablet
	case r.marks&(markMobile|markDalvik) != 0 || h.Mobile:
		return Mobile
	}
	return Tablet
}
