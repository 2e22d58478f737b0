package atlas

// All codes.
func CountryCodes() (all []string) {
	for _, c := range countries {
		all = append(all, c.code)
	}
	return all
}

func LanguageCodes() (all []string) {
	for _, l := range languages {
		all = append(all, l.code)
	}
	return all
}
