// Package collect is the road of a hit: from a request to an event in the store.
//
// What is here so far is its second half, the Loader, which moves events from the journal into the store and loses or
// doubles none, whatever is down or killed on the way.
package collect
