/** Connects through an HTTP proxy: selects it by `HTTPS_PROXY` and `NO_PROXY`, and opens a tunnel with CONNECT. */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type Socket } from "node:net";
import { connect as tlsConnect } from "node:tls";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Opens a socket to an address, with TLS, through the proxy that the environment defines for it; undefined for a direct connection.
 * @throws as {@link proxyFor}, as {@link connectThrough}
 */
export async function throughProxy(
  target: URL,
  env: Env,
  ca: string[] | undefined,
  signal: AbortSignal,
): Promise<Socket | undefined> {
  const proxy = proxyFor(target, env);
  if (!proxy) return undefined;
  const carrier = await connectThrough(proxy, target, ca, signal);
  const host = bare(target.hostname);
  const servername = isIP(host) ? "" : host;
  return tlsConnect({ socket: carrier, host, servername, ALPNProtocols: ["http/1.1"], ...(ca && { ca }) });
}

/**
 * The proxy for an address, or undefined for a direct connection. Only TLS connections use a proxy.
 * @throws Error when `HTTPS_PROXY` is not an http or https address
 */
export function proxyFor(target: URL, env: Env): URL | undefined {
  const text = env.HTTPS_PROXY || env.https_proxy;
  if (!text || (target.protocol !== "wss:" && target.protocol !== "https:")) return undefined;
  const exceptions = (env.NO_PROXY || env.no_proxy || "").split(",").map((entry) => entry.trim().toLowerCase());
  if (exceptions.some((entry) => isExcepted(target, entry))) return undefined;
  const proxy = URL.parse(text.includes("://") ? text : `http://${text}`);
  // The text may contain a password, so it is not quoted.
  if (proxy?.protocol !== "http:" && proxy?.protocol !== "https:")
    throw new Error("HTTPS_PROXY is not an http or https address");
  return proxy;
}

/**
 * Whether an exception matches: `example.com` and `.example.com` match the domain and its subdomains; a port must match too; `*` matches
 * all.
 */
function isExcepted(target: URL, entry: string): boolean {
  if (entry === "") return false;
  if (entry === "*") return true;
  const [, name = "", port] = /^\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  const host = target.hostname.toLowerCase();
  return (host === name || host.endsWith(`.${name}`)) && (port === undefined || port === portOf(target));
}

/**
 * Opens a tunnel to the target through the proxy: bytes written to the socket reach the target.
 * @throws Error when the proxy refuses or cannot be reached, the signal's reason
 */
function connectThrough(proxy: URL, target: URL, ca: string[] | undefined, signal: AbortSignal): Promise<Socket> {
  const authority = `${target.hostname}:${portOf(target)}`;
  const headers: Record<string, string> = { host: authority };
  if (proxy.username) {
    const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
    headers["proxy-authorization"] = `Basic ${Buffer.from(credentials).toString("base64")}`;
  }
  const request = proxy.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const asked = request({
      method: "CONNECT",
      host: bare(proxy.hostname),
      port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
      path: authority,
      headers,
      agent: false,
      signal,
      ...(ca && { ca }),
    });
    asked.once("connect", (answer: IncomingMessage, socket: Socket, head: Buffer) => {
      if (answer.statusCode === 200) {
        if (head.length > 0) socket.unshift(head);
        return resolve(socket);
      }
      socket.destroy();
      reject(new Error(`the proxy answered ${answer.statusCode}`));
    });
    asked.once("response", (answer) => {
      answer.resume();
      reject(new Error(`the proxy answered ${answer.statusCode}`));
    });
    asked.once("error", (failure) => reject(signal.aborted ? signal.reason : failure));
    asked.end();
  });
}

/** The port of an address, including the default one. */
function portOf(url: URL): string {
  return url.port || (url.protocol === "wss:" || url.protocol === "https:" ? "443" : "80");
}

/** A host name as sockets require it: an IPv6 address without its brackets. */
function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}
