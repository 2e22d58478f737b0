package app

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestServiceSpeaksTLS(t *testing.T) {
	cert, key := writeCertificate(t)
	trusting := http.DefaultTransport.(*http.Transport).Clone()
	trusting.TLSClientConfig = &tls.Config{RootCAs: poolOf(t, cert)}
	before := http.DefaultClient.Transport
	http.DefaultClient.Transport = trusting
	t.Cleanup(func() { http.DefaultClient.Transport = before })

	r := startService(t, t.TempDir(), "--tls-cert", cert, "--tls-key", key)
	if !strings.HasPrefix(r.url, "https://") || !strings.HasPrefix(r.link, "https://") {
		t.Errorf("it printed %q", r.out.String())
	}
	req, err := http.NewRequest("DELETE", r.url+"/api/v1/session", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if cookie := answer.Header.Get("Set-Cookie"); !strings.Contains(cookie, "; Secure") {
		t.Errorf("the cookie is %s", cookie)
	}
	missing := &running{t: t, dir: t.TempDir()}
	if got := missing.command(1, "", "serve", "--listen", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", cert); !strings.Contains(got, "--tls-cert and --tls-key: ") {
		t.Errorf("with a key that is none it printed %q", got)
	}
}

// writeCertificate writes a certificate of its own making for 127.0.0.1, and its key.
func writeCertificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: encoded}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

func poolOf(t *testing.T, cert string) *x509.CertPool {
	t.Helper()
	content, err := os.ReadFile(cert)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(content)
	return pool
}
