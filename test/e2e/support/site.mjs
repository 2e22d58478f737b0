// A web server for the pages of a test, under any host name: every name is this machine for the browser of the tests.
import { createServer } from "node:http";
import { once } from "node:events";

// serve answers with what handle returns for a request: { status, type, headers, body }, or a text, which is a page.
// Whatever handle does not know, by returning nothing, is 404.
export async function serve(handle) {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, `http://${request.headers.host}`);
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const answer = (await handle({ method: request.method, url, headers: request.headers, body: Buffer.concat(chunks).toString() })) ?? { status: 404, body: "nothing here" };
    const { status = 200, type = "text/html; charset=utf-8", headers = {}, body = "" } = typeof answer == "string" ? { body: answer } : answer;
    response.writeHead(status, { "Content-Type": type, ...headers }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  return {
    port,
    // at is the address of a path under a host name.
    at: (host, path = "/") => `http://${host}:${port}${path}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
