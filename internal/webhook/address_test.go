package webhook_test

import (
	"net"
	"net/netip"
	"testing"

	"footfall/internal/webhook"
)

func TestOnlyAddressesInTheInternetArePublic(t *testing.T) {
	for address, public := range map[string]bool{
		"8.8.8.8": true, "93.184.216.34": true, "9.255.255.255": true, "11.0.0.0": true, "100.63.255.255": true, "100.128.0.0": true,
		"172.15.255.255": true, "172.32.0.0": true, "192.167.255.255": true, "192.169.0.0": true, "169.253.255.255": true, "223.255.255.255": true,
		"2606:4700::1111": true, "2a00:1450:4001::1": true, "::ffff:8.8.8.8": true, "64:ff9b::8.8.8.8": true,

		"0.0.0.0": false, "0.1.2.3": false, "10.0.0.1": false, "10.255.255.255": false, "100.64.0.1": false, "100.127.255.255": false,
		"127.0.0.1": false, "127.255.255.254": false, "169.254.1.1": false, "172.16.0.1": false, "172.31.255.255": false, "192.0.0.8": false,
		"192.0.2.1": false, "192.88.99.1": false, "192.168.1.1": false, "198.18.0.1": false, "198.19.255.255": false, "198.51.100.1": false,
		"203.0.113.1": false, "224.0.0.1": false, "239.255.255.255": false, "240.0.0.1": false, "255.255.255.255": false,
		"169.254.169.254": false, "169.254.170.2": false, "100.100.100.200": false, "192.0.0.192": false, "168.63.129.16": false, "fd00:ec2::254": false, // metadata
		"::": false, "::1": false, "::127.0.0.1": false, "::8.8.8.8": false, "fe80::1": false, "fe80::1%eth0": false, "fec0::1": false, "fc00::1": false,
		"fdff::1": false, "ff02::1": false, "ff0e::1": false, "100::1": false, "2001:db8::1": false, "2001::1": false, "2002:7f00:1::": false,
		"3fff::1": false, "4000::1": false, "64:ff9b:1::1": false, "64:ff9b::127.0.0.1": false, "64:ff9b::a9fe:a9fe": false,
		"::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "::ffff:169.254.169.254": false, "::ffff:0:127.0.0.1": false,
	} {
		if got := webhook.IsPublic(netip.MustParseAddr(address)); got != public {
			t.Errorf("whether %s is public is %v, want %v", address, got, public)
		}
	}
	if webhook.IsPublic(netip.Addr{}) {
		t.Error("no address is public")
	}
}

// A machine in the internet has public addresses, and connections to them do not leave it.
func TestAddressesOfTheMachineAreItsOwn(t *testing.T) {
	own := []net.Addr{
		&net.IPNet{IP: net.ParseIP("8.8.8.8"), Mask: net.CIDRMask(24, 32)}, &net.IPNet{IP: net.ParseIP("2606:4700::1111"), Mask: net.CIDRMask(64, 128)},
	}
	for address, want := range map[string]bool{
		"8.8.8.8": true, "::ffff:8.8.8.8": true, "2606:4700::1111": true, "8.8.8.9": false, "2606:4700::1112": false,
	} {
		if got := webhook.IsOneOf(own, netip.MustParseAddr(address)); got != want {
			t.Errorf("whether %s is one of them is %v", address, got)
		}
	}
}
