/** Why a broker's certificate is not trusted, in words that name what it says: the failure of the connection itself does not. */
import { connect, type PeerCertificate } from "node:tls";

/** Codes of OpenSSL's and Node.js's failures that a certificate is the reason for. */
const CODES: ReadonlySet<string> = new Set([
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);
const LOOK_MS = 5000;
const LONGEST_NAMES = 200;

export interface BrokerEndpoint {
  readonly host: string;
  readonly port: number;
}

export function isOfCertificate(failure: unknown): failure is Error {
  return failure instanceof Error && "code" in failure && typeof failure.code === "string" && CODES.has(failure.code);
}

/** Looks at the certificate once more, without sending anything. Never rejects. @param hasCa whether the setting `ca` is set */
export async function untrustedInWords(failure: Error, endpoint: BrokerEndpoint, hasCa: boolean): Promise<string> {
  const certificate = await certificateOf(endpoint);
  const names = certificate && namesOf(certificate);
  const of = names ? `: it is for ${names.names}, issued by ${names.issuer}` : "";
  const cure = hasCa
    ? "The setting `ca` names another CA, or the address is none of these names."
    : "Set `ca` to the PEM file of the CA that signed it.";
  return `its certificate is not trusted (${firstPart(failure.message)})${of}. ${cure}`;
}

function certificateOf({ host, port }: BrokerEndpoint): Promise<PeerCertificate | undefined> {
  return new Promise((resolve) => {
    // Nothing is sent on it: it is looked at because it was not trusted.
    const socket = connect({ host, port, rejectUnauthorized: false, timeout: LOOK_MS });
    const end = (certificate?: PeerCertificate) => {
      socket.destroy();
      resolve(certificate);
    };
    socket.once("secureConnect", () => end(socket.getPeerCertificate()));
    socket.once("timeout", () => end());
    socket.once("error", () => end());
    socket.once("close", () => end());
  });
}

/** Undefined when the certificate says nothing. */
function namesOf({ subject, issuer, subjectaltname }: Partial<PeerCertificate>) {
  if (!subject) return undefined;
  const alternatives = (subjectaltname ?? "").replaceAll(/(?:DNS|IP Address):/g, "");
  const own = first(subject.CN) ?? "no name";
  return {
    names: printable(alternatives || own),
    issuer: printable(first(issuer?.CN) ?? first(issuer?.O) ?? "no name"),
  };
}

function first(name: string | string[] | undefined): string | undefined {
  return Array.isArray(name) ? name[0] : name;
}

/** What a stranger chose, without what moves a terminal's cursor. */
function printable(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
  return plain.length > LONGEST_NAMES ? `${plain.slice(0, LONGEST_NAMES)}…` : plain;
}

function firstPart(text: string): string {
  // What follows is advice for people who start Node.js.
  return printable(text.split(/[\n;]/)[0] ?? "");
}
