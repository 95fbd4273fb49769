/**
 * Questions of multicast DNS as bytes. Pure, and our own: `dns-packet` divides a name at every dot, and the name of an instance may have
 * dots in it ("Lamp 2.0", RFC 6763, section 4.1.1), so that its question would be about another name.
 */

export interface MdnsQuestion {
  readonly name: string;
  readonly type: keyof typeof TYPES;
}

/** Numbers of record types (RFC 1035, 2782, 3596). */
const TYPES = { A: 1, PTR: 12, TXT: 16, AAAA: 28, SRV: 33 } as const;
const CLASS_IN = 1;
const HEADER_BYTES = 12;
/** Longest label and longest name, bytes. RFC 1035, section 2.3.4. */
const LONGEST_LABEL = 63;
const LONGEST_NAME = 255;
/** An instance's name: everything before the last two labels with an underscore, and those. */
const INSTANCE = /^(.+)\.(_[^.]+)\.(_tcp|_udp)\.([^.]+)$/is;

/** One packet with the questions that can be asked; undefined when none can be. */
export function encodeQuestions(questions: readonly MdnsQuestion[]): Buffer | undefined {
  const parts = questions.flatMap(({ name, type }) => {
    const bytes = encodeName(name);
    return bytes ? [Buffer.concat([bytes, Buffer.from([0, TYPES[type], 0, CLASS_IN])])] : [];
  });
  if (parts.length === 0) return undefined;
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(parts.length, 4);
  return Buffer.concat([header, ...parts]);
}

/** Undefined when it is no name. */
function encodeName(name: string): Buffer | undefined {
  const labels = labelsOf(name.replace(/\.$/, "")).map((label) => Buffer.from(label));
  if (labels.some(({ length }) => length === 0 || length > LONGEST_LABEL)) return undefined;
  const bytes = Buffer.concat([...labels.flatMap((label) => [Buffer.from([label.length]), label]), Buffer.from([0])]);
  return bytes.length > LONGEST_NAME ? undefined : bytes;
}

function labelsOf(name: string): readonly string[] {
  const [, ...labels] = INSTANCE.exec(name) ?? [];
  // A name of a type itself, with a subtype or without one, begins with an underscore.
  return labels.length > 0 && !name.startsWith("_") ? labels : name.split(".");
}
