/** A connection to a broker by mqtt.js. Each client serves one connection, because the caller decides when to connect again. */
import { readFileSync } from "node:fs";
import { connect, type PeerCertificate } from "node:tls";
import { orAborted } from "@porchlight/shared/kernel";
import { connectAsync, type IClientOptions, type MqttClient } from "mqtt";
import type { BrokerConnection, OpenBroker, Publication } from "./kept-connection.ts";

export interface BrokerAddress {
  /** `mqtt://HOST[:PORT]`, `mqtts://HOST[:PORT]`. */
  readonly url: string;
  readonly user?: string | undefined;
  readonly password?: { reveal(): string } | undefined;
  /** PEM file of a CA to trust instead of the system's. */
  readonly ca?: string | undefined;
  /** Permanently the same for one hub, so that the broker ends its previous connection when it connects again. */
  readonly clientId: string;
  /** The last will: the broker publishes it when the connection ends unexpectedly. */
  readonly will?: Publication | undefined;
}

const CONNECT_MS = 10_000;
const MQTTS_PORT = 8883;
/** Interval of the pings to the broker, s: without an answer the connection ends after one and a half intervals. */
const KEEPALIVE_S = 15;

export function openByMqttJs({ url, user, password, ca, clientId, will }: BrokerAddress): OpenBroker {
  return async (received, signal) => {
    const options: IClientOptions = {
      ...serverOf(url),
      clientId,
      clean: true,
      connectTimeout: CONNECT_MS,
      keepalive: KEEPALIVE_S,
      reconnectPeriod: 0,
      queueQoSZero: false,
      resubscribe: false,
      ...(user === undefined ? {} : { username: user }),
      ...(password === undefined ? {} : { password: password.reveal() }),
      ...(will === undefined ? {} : { will: lastWill(will) }),
      ...(ca === undefined ? {} : { ca: readFileSync(ca) }),
    };
    // Given an address, mqtt.js would parse it in a way that makes Node.js write a warning into the hub's log.
    const connecting = connectAsync("", options, false);
    // Closes a connection that is established after the attempt was given up.
    const late = () =>
      void connecting.then(
        (client) => client.end(true),
        () => undefined,
      );
    try {
      const client = await orAborted(connecting, signal);
      return connectionOf(client, received);
    } catch (failure) {
      late();
      if (!isOfCertificate(failure)) throw failure;
      const { host, port = MQTTS_PORT } = serverOf(url);
      throw new Error(await untrustedInWords(failure, { host, port }, ca !== undefined), { cause: failure });
    }
  };
}

/** @param url `mqtt:` or `mqtts:`; the default port is that of the protocol */
export function serverOf(url: string): { protocol: "mqtt" | "mqtts"; host: string; port?: number } {
  const { protocol, hostname, port } = new URL(url);
  return {
    protocol: protocol === "mqtts:" ? "mqtts" : "mqtt",
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    ...(port === "" ? {} : { port: Number(port) }),
  };
}

function lastWill({ topic, payload, qos = 1, retain = false }: Publication) {
  return { topic, payload: Buffer.from(payload), qos, retain };
}

function connectionOf(client: MqttClient, received: Parameters<OpenBroker>[0]): BrokerConnection {
  const closed = Promise.withResolvers<string>();
  let failure = "the broker has closed the connection";
  client.on("message", (topic, payload, { retain }) => received({ topic, payload, retained: retain }));
  client.on("error", (error) => {
    failure = error.message;
  });
  client.on("close", () => closed.resolve(failure));
  return {
    closed: closed.promise,
    subscribe: async (filters) => {
      const granted = await client.subscribeAsync([...filters]);
      const refused = granted.filter(({ qos }) => qos >= 128).map(({ topic }) => topic);
      if (refused.length > 0) throw new Error(`the broker rejects subscriptions: ${refused.slice(0, 3).join(", ")}`);
    },
    unsubscribe: async (filters) => {
      await client.unsubscribeAsync([...filters]);
    },
    publish: async ({ topic, payload, qos = 1, retain = false }: Publication) => {
      await Promise.race([client.publishAsync(topic, payload, { qos, retain }), lost(closed.promise)]);
    },
    [Symbol.asyncDispose]: async () => {
      await client.endAsync(true);
      closed.resolve("the hub has closed the connection");
    },
  };
}

async function lost(closed: Promise<string>): Promise<never> {
  throw new Error(await closed);
}

/** Codes of OpenSSL's and Node.js's failures that are caused by a certificate. */
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

interface BrokerEndpoint {
  readonly host: string;
  readonly port: number;
}

function isOfCertificate(failure: unknown): failure is Error {
  return failure instanceof Error && "code" in failure && typeof failure.code === "string" && CODES.has(failure.code);
}

/**
 * Fetches the untrusted certificate again, without sending data, and states in words why it is not trusted: the failure of the connection
 * does not name its contents. Never rejects.
 * @param hasCa whether the setting `ca` is set
 */
async function untrustedInWords(failure: Error, endpoint: BrokerEndpoint, hasCa: boolean): Promise<string> {
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
    // Nothing is sent on this connection: it only fetches the certificate that was not trusted.
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

/** Undefined when the certificate has no names. */
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

/** Removes control characters from a text that a stranger chose, since they could move a terminal's cursor. */
function printable(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
  return plain.length > LONGEST_NAMES ? `${plain.slice(0, LONGEST_NAMES)}…` : plain;
}

function firstPart(text: string): string {
  // The rest of the message is advice for people who start Node.js.
  return printable(text.split(/[\n;]/)[0] ?? "");
}
