/** A connection to a broker by mqtt.js, which is used for one connection each: when to come back is its user's to say. */
import { readFileSync } from "node:fs";
import { orAborted } from "@porchlight/shared/kernel";
import { connectAsync, type IClientOptions, type MqttClient } from "mqtt";
import type { BrokerConnection, OpenBroker, Publication } from "./broker.ts";
import { isOfCertificate, untrustedInWords } from "./untrusted-certificate.ts";

export interface BrokerAddress {
  /** `mqtt://HOST[:PORT]`, `mqtts://HOST[:PORT]`. */
  readonly url: string;
  readonly user?: string | undefined;
  readonly password?: { reveal(): string } | undefined;
  /** File with the PEM of a CA to trust instead of the usual ones. */
  readonly ca?: string | undefined;
  /** The same for one hub for ever, so that its last connection ends when it connects again. */
  readonly clientId: string;
  /** The last will: what the broker publishes when the connection ends by itself. */
  readonly will?: Publication | undefined;
}

const CONNECT_MS = 10_000;
const MQTTS_PORT = 8883;
/** How often the broker is asked whether it is there, s: without an answer the connection ends half as long after that again. */
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
    // Given an address it would parse it by what Node.js warns of in the hub's log.
    const connecting = connectAsync("", options, false);
    // A connection that comes after it was given up is closed.
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

/** @param url `mqtt:` or `mqtts:`; without a port it is that of the protocol */
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
