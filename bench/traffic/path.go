package traffic

const paths = 5000 // of each website

// Path is the page of a website that stands at a rank among its pages, from 0 to 4,999. The first is "/", the others have
// 10 to 60 bytes. No two pages of a website are the same, and websites share next to none.
func Path(website int64, rank int) string {
	if rank == 0 {
		return "/"
	}
	// An odd factor makes this a permutation of 16 bits, so different ranks pick different words.
	i := (uint32(rank)*25173 + uint32(website)*13849) & 0xffff
	var buf [64]byte
	b := append(buf[:0], sections[mix(uint64(i)<<16|uint64(website))%uint64(len(sections))]...)
	b = append(b, adjectives[i&63]...)
	b = append(b, '-')
	b = append(b, nouns[i>>6&63]...)
	b = append(b, endings[i>>12]...)
	return string(b)
}

var sections = []string{
	"/blog/", "/blog/2023/", "/blog/2024/", "/blog/2025/", "/docs/", "/docs/reference/", "/docs/guides/", "/news/",
	"/products/", "/products/new/", "/shop/item/", "/help/", "/help/articles/", "/stories/", "/events/2025/", "/community/",
}

var adjectives = [64]string{
	"amber", "ancient", "autumn", "bitter", "bold", "brave", "bright", "broken", "calm", "careful", "clever", "coastal",
	"cold", "crimson", "curious", "dark", "deep", "distant", "dry", "early", "eastern", "empty", "endless", "faint",
	"famous", "fast", "final", "fresh", "gentle", "golden", "green", "hidden", "hollow", "honest", "icy", "indigo",
	"inner", "kind", "late", "light", "little", "lively", "long", "lost", "loud", "modern", "narrow", "northern",
	"open", "patient", "plain", "proud", "quick", "quiet", "rare", "restless", "round", "rough", "secret", "silver",
	"simple", "slow", "warm", "wild",
}

var nouns = [64]string{
	"anchor", "archive", "atlas", "avenue", "balcony", "basket", "bicycle", "bridge", "canal", "candle", "castle", "cedar",
	"chapter", "cloud", "compass", "corner", "cottage", "desert", "engine", "feather", "field", "forest", "fountain",
	"garden", "glacier", "harbour", "hill", "island", "journey", "kitchen", "ladder", "lantern", "library", "marble",
	"market", "meadow", "mirror", "morning", "mountain", "museum", "needle", "ocean", "orchard", "palace", "paper", "pepper",
	"piano", "planet", "pocket", "quarry", "railway", "rain", "river", "saddle", "school", "shadow", "signal", "station",
	"summer", "thunder", "valley", "village", "window", "winter",
}

var endings = [16]string{
	"", "-notes", "-explained", "-for-beginners", "-in-practice", "-a-short-history", "-and-what-we-learned", "-in-ten-minutes",
	"-part-one", "-part-two", "-revisited", "-step-by-step", "?page=2", "?view=full", "-questions-and-answers", "-2nd-edition",
}
