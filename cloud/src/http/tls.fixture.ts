/** A certificate that signs itself, made when a test runs: its own file because Node.js makes keys and reads certificates, but writes none. */
import { generateKeyPairSync, sign } from "node:crypto";
import type { TlsPair } from "./tls.ts";

/** For 127.0.0.1, from 2000 until the end of a year. */
export function selfSigned(serial: number, until = 2049): TlsPair {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = der(SEQUENCE, der(OID, Buffer.from("2a8648ce3d040302", "hex")));
  const commonName = der(SEQUENCE, der(OID, Buffer.from("550403", "hex")), der(UTF8, Buffer.from("porchlight test")));
  const name = der(SEQUENCE, der(SET, commonName));
  const loopback = der(SEQUENCE, der(IP_ADDRESS, Buffer.from([127, 0, 0, 1])));
  const alternatives = der(SEQUENCE, der(OID, Buffer.from("551d11", "hex")), der(OCTETS, loopback));
  const signed = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([serial])),
    algorithm,
    name,
    der(SEQUENCE, utcTime("000101"), utcTime(`${String(until).slice(2)}1231`)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(EXTENSIONS, der(SEQUENCE, alternatives)),
  );
  const signature = sign("sha256", signed, privateKey);
  const certificate = der(SEQUENCE, signed, algorithm, der(BITS, Buffer.from([0]), signature));
  const lines = certificate.toString("base64").replaceAll(/(.{64})/g, "$1\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.trimEnd()}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/** Tags of ASN.1 (X.690), and of X.509 (RFC 5280). */
const [INTEGER, BITS, OCTETS, OID, UTF8, UTC_TIME, SEQUENCE, SET] = [2, 3, 4, 6, 0x0c, 0x17, 0x30, 0x31];
const [VERSION, EXTENSIONS, IP_ADDRESS] = [0xa0, 0xa3, 0x87];

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/** @param day YYMMDD */
function utcTime(day: string): Buffer {
  return der(UTC_TIME, Buffer.from(`${day}000000Z`));
}
