package agent

import "strings"

// kindOf tells the kind of an Android device by its model where the name of a whole series tells it, else "". It is no
// list of models: those grow by thousands a year and are stale the day they ship.
func kindOf(model string) string {
	kind := ""
	for i := 0; i < len(model); {
		if !alphanumeric(model[i]) {
			i++
			continue
		}
		start := i
		for i < len(model) && alphanumeric(model[i]) {
			i++
		}
		k := kindOfSeries(model[start:])
		if k == "" {
			k = kindOfWord(model[start:i])
		}
		if k == Other { // "TV Tab" is neither, "Tab TV" a television
			return k
		}
		if kind == "" {
			kind = k
		}
	}
	return kind
}

// series are beginnings of models: # is a digit, @ a capital letter, ~ the end of the word.
var series = bySign([]kinds{
	{Tablet, words("SM-T#", "SM-X#", "SM-P#", "GT-P#", "GT-N51", "GT-N80", "SHT-", "AGS#", "AGS-", "BAH#", "BAH-", "TB-", "TB#", "YT-X", "YT3-",
		"YT-J",
		"BNTV", "BNRV", "KF@@~", "KF@@@~", "KF@@@@~", "OPD#", "Nexus 7", "Nexus 9", "Nexus 10", "Pixel C", "MID#", "MID-", "TPC#", "TPC-", "TPC_",
		"iPlay", "Xoom", "PMT#", "PMP#",
		"Slate", "Transformer", "Iconia", "ThinkSmart", "Aura Flow", "BZT-", "BZK-", "KOB", "AGR-", "SCMR", "JDN2", "VRD-", "BTV-", "DBY-", "HDL-",
		"W09~", "W19~", "W29~", "PA2###", "iPA2###", "RMP#", "####RP",
		"####@RP", "#####RP")},
	{Other, words("SM-R#", "AFT@", "AEO@@~", "X96~", "X96@", "H96~", "H96@", "H96p", "T95~", "T95@", "T95p", "A95X", "TX3~", "TX5~", "TX6~", "TX6s~",
		"TX9~", "HK1~", "X88p", "MXQ",
		"M8S~", "M8SPRO", "GTKing", "UGOOS", "ZIDOO", "ADT-#", "NEO-X", "NEO-U", "MECOOL", "VONTAR", "YNDX", "yandexstation", "Chromecast", "BRAVIA",
		"SHIELD Android", "VIZIO", "STB", "TIVO",
		"HTY-", "Shell ", "Smart Box", "MiProj", "IFP#", "Portal", "Retroid", "RG###", "OUYA", "DiLink", "Quest 2", "Quest 3", "Quest Pro", "Pico ",
		"Pico_", "VR~", "Glass~", "XREAL", "Vive ",
		"LEM##")},
	{Mobile, words("Coolpad")},
	{Desktop, words("Chromebook", "Pixelbook", "Aspire ", "Inspiron", "Latitude ", "Vostro", "TravelMate", "EliteBook", "ProBook", "SATELLITE ")},
})

type kinds struct {
	kind   string
	models []string
}

// entry is one beginning of models and what they are.
type entry struct{ begin, kind string }

// bySign sorts beginnings by their first sign, so that a word is compared with few.
func bySign(all []kinds) (table [128][]entry) {
	for _, s := range all {
		for _, m := range s.models {
			from, to := low(m[0]), low(m[0])
			if m[0] == '#' {
				from, to = '0', '9'
			}
			for c := from; c <= to; c++ {
				table[c] = append(table[c], entry{m, s.kind})
			}
		}
	}
	return table
}

func kindOfSeries(model string) string {
	for _, e := range series[low(model[0])&127] {
		if begins(model, e.begin) {
			return e.kind
		}
	}
	return ""
}

func begins(model, pattern string) bool {
	for i := 0; i < len(pattern); i++ {
		p := pattern[i]
		if p == '~' {
			return i == len(model) || !alphanumeric(model[i])
		}
		if i == len(model) {
			return false
		}
		c := model[i]
		switch {
		case p == '#' && isDigit(c), p == '@' && 'A' <= c && c <= 'Z', low(p) == low(c):
		default:
			return false
		}
	}
	return true
}

// tvParts and tabletParts tell by a part of a word: MiTV, SmarterTV, NETBOX, TechPad703.
var (
	tvParts     = []string{"tv", "box", "stick", "stream", "uhd", "projector", "watch", "gamepad", "dongle", "android tv"}
	tabletParts = []string{"pad", "tablet"}
)

func kindOfWord(word string) string {
	if len(word) > maxName {
		return ""
	}
	var b [maxName]byte
	w := string(lower(b[:copy(b[:], word)]))
	switch {
	case w == "tab", len(w) > 3 && w[:3] == "tab" && !('a' <= w[3] && w[3] <= 'z'), len(w) > 3 && w[len(w)-3:] == "tab":
		return Tablet
	case w == "row": // rest of the world: firmware that makers of tablets name so
		return Tablet
	case diagonal(w), lit(w), w == "4k", w == "8k":
		return Other
	}
	for _, p := range tvParts {
		if strings.Contains(w, p) {
			return Other
		}
	}
	for _, p := range tabletParts {
		if strings.Contains(w, p) {
			return Tablet
		}
	}
	return ""
}

// diagonal reports whether a word is called as televisions are, by inches: 32H700GU, 55LEX, K50DLX9US, T43FSM5160.
func diagonal(w string) bool {
	i := 0
	for i < len(w) && i < 3 && !isDigit(w[i]) {
		i++
	}
	rest := w[i:]
	if len(rest) < 5 || !isDigit(rest[0]) || !isDigit(rest[1]) || isDigit(rest[2]) {
		return false
	}
	switch rest[:2] {
	case "24", "28", "32", "39", "40", "42", "43", "48", "49", "50", "55", "58", "60", "65", "70", "75", "77", "85":
		return strings.ContainsAny(rest[3:], "0123456789") || i == 0
	}
	return false
}

// lit reports whether a word says LED with inches: LED40S63, 55LED41.
func lit(w string) bool {
	i := strings.Index(w, "led")
	return i >= 0 && (i+3 < len(w) && isDigit(w[i+3]) || i > 0 && isDigit(w[i-1]))
}

func alphanumeric(c byte) bool { return isDigit(c) || 'a' <= low(c) && low(c) <= 'z' }

func low(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
