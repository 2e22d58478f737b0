package agent

import "sync"

var ownMatcher = sync.OnceValue(func() *matcher { return newMatcher(ownWords) })

// BotByOwnRules is Bot without the public lists.
func BotByOwnRules(userAgent string) bool {
	return ownMatcher().find(userAgent) || !browserForm(userAgent)
}

// Browsers are the words for browsers and what each should be read as.
func Browsers() map[string][]string {
	all := map[string][]string{}
	for _, b := range browsers {
		for _, w := range b.words {
			all[w] = append(all[w], b.name)
		}
	}
	return all
}

// Systems are the words for systems likewise.
func Systems() map[string][]string {
	all := map[string][]string{}
	for _, s := range systems {
		for _, w := range s.words {
			all[w] = append(all[w], s.name)
		}
	}
	return all
}
