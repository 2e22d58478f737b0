// How a program checks the signature of a message. The same stands in docs/alerts.md, where it is tested.

const node = String.raw`const crypto = require("node:crypto");

function verify(secret, header, body, now = Date.now() / 1000) {
  const { t, v1 } = Object.fromEntries(header.split(",").map((part) => part.split("=")));
  if (!/^\d+$/.test(t) || !/^[0-9a-f]{64}$/.test(v1) || Math.abs(now - t) > 300) return false;
  const mac = crypto.createHmac("sha256", secret).update(t + ".").update(body).digest();
  return crypto.timingSafeEqual(mac, Buffer.from(v1, "hex"));
}`;

const python = String.raw`import hashlib, hmac, re, time

def verify(secret, header, body, now=None):
    match = re.fullmatch(r"t=(\d+),v1=([0-9a-f]{64})", header)
    if not match or abs((now or time.time()) - int(match[1])) > 300:
        return False
    mac = hmac.new(secret.encode(), match[1].encode() + b"." + body, hashlib.sha256)
    return hmac.compare_digest(mac.hexdigest(), match[2])`;

export const verifiers = [
  { id: "node", text: "Node", code: node },
  { id: "python", text: "Python", code: python },
];
