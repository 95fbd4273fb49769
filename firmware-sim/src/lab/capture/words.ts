/** Messages in the words of the protocol document's sessions: `WRITE 3, device 0, Switch 0 on: true`. */
import { printable, type Value } from "@porchlight/shared/model";
import { errorVerdict, type Message, type Places, type WireAddress } from "@porchlight/shared/wire";

/** One message on one line. */
export function inWords(message: Message): string {
  const more = detail(message);
  return printable(`${message.type} ${message.seq}${more}`);
}

function detail(message: Message): string {
  switch (message.type) {
    case "HELLO": {
      const { id, devices, boot, max, win, mf, mo, fw, sn } = message.info;
      const texts = Object.entries({ mf, mo, fw, sn }).flatMap(([key, text]) =>
        text === undefined ? [] : `${key} ${JSON.stringify(text)}`,
      );
      return `, ${[id, `boot ${boot}`, `max ${max}`, `win ${win}`, `devices ${placesOf(devices)}`, ...texts].join(", ")}`;
    }
    case "HELLO_ACK":
      return `, hub ${message.info.hub}${message.info.now === undefined ? "" : `, now ${message.info.now}`}`;
    case "DESCRIBE":
      return `, device ${message.device}, part ${message.part}`;
    case "DESCRIPTION": {
      const { device, part, parts, services, about } = message;
      const said = about && Object.keys(about).length > 0 ? `; about ${JSON.stringify(about)}` : "";
      return `, device ${device}, part ${part} of ${parts}: ${services.map(serviceWords).join("; ")}${said}`;
    }
    case "READ":
      return `, ${propertyWords(message)}`;
    case "WRITE":
    case "REPORT":
      return `, ${propertyWords(message)}: ${JSON.stringify(message.value)}`;
    case "VALUE":
    case "WRITTEN":
      return `: ${JSON.stringify(message.value)}`;
    case "ERROR":
      return `, code ${message.code} ${errorVerdict(message.code).says}: ${JSON.stringify(message.text)}`;
    case "CHANGED":
      return `, devices ${placesOf(message.devices)}`;
    case "IDENTIFY":
      return `, device ${message.device}, ${message.seconds} s`;
    case "ACK":
    case "PING":
    case "PONG":
    case "WHO":
      return "";
  }
}

/** `device 0, Switch 0 on` */
function propertyWords({ device, service, index, property }: WireAddress): string {
  return `device ${device}, ${service} ${index} ${property}`;
}

function placesOf(places: Places): string {
  return `[${places.map((edgeId) => edgeId ?? "null").join(", ")}]`;
}

/** A service as the wire describes it: `Switch 0 on`; what is not standard is told with its type. */
function serviceWords(service: Value): string {
  if (!isMap(service) || !Array.isArray(service.p)) return JSON.stringify(service);
  const properties = service.p.map((property) =>
    isMap(property) ? `${String(property.n)} (${String(property.t)})` : String(property),
  );
  return `${String(service.s)} ${String(service.i)} ${properties.join(", ")}`;
}

function isMap(value: Value): value is { readonly [key: string]: Value } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
