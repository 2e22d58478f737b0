package store

import "context"

type background struct{}

// InBackground is for questions that nobody waits for, such as those of a thousand reports: an engine answers them with one core,
// and leaves the others to hits and to people.
func InBackground(ctx context.Context) context.Context {
	return context.WithValue(ctx, background{}, true)
}

// NobodyWaits tells whether a question is one of those.
func NobodyWaits(ctx context.Context) bool { return ctx.Value(background{}) != nil }
