package collect

// Matches is matches, for a test that compares it with another way to find out.
var Matches = matches

// HostOf is hostOf.
var HostOf = hostOf
