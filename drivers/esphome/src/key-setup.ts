/** The setup for a device's encryption key. */
import { type KeptSecrets, SetupFailed, type SetupKind, type SetupTalk } from "@porchlight/driver-kit";
import { Secret } from "@porchlight/shared/settings";
import { type EspHomeLine, keyNameOf } from "./esphome-line.ts";
import { lacksKey } from "./trouble.ts";

/** Setup in which a person enters a device's encryption key; the driver tries it at once and stores it when it is right. */
export const KEY_SETUP: SetupKind = { kind: "esphome-key", title: "Enter the encryption key of an ESPHome device" };

/** Timeout for trying a key, s. */
const TRYING_S = 30;

const KEY_BYTES = 32;

/** Extracts the key from the pasted text; undefined when there is none. */
function espHomeKey(text: string): string | undefined {
  const written = text
    .trim()
    .replace(/^key:\s*/, "")
    .replace(/^["']|["']$/g, "");
  const isBase64 = /^[A-Za-z0-9+/]{43}=$/.test(written);
  return isBase64 && Buffer.from(written, "base64").length === KEY_BYTES ? written : undefined;
}

export function keySetup(lines: readonly EspHomeLine[], keys: KeptSecrets) {
  // A wrong key in the settings must be corrected there.
  const locked = lines.filter(({ trouble, place }) => trouble && lacksKey(trouble) && !place.key);
  const kinds: SetupKind[] = locked.length === 0 ? [] : [KEY_SETUP];
  return {
    kinds,
    /** @throws SetupFailed, the talk's signal's reason */
    run: async (kind: string, talk: SetupTalk): Promise<void> => {
      if (kind !== KEY_SETUP.kind || locked.length === 0) throw new SetupFailed("No ESPHome device needs a key.");
      const line = await chosen(locked, talk);
      const text = `The encryption key of ${nameOfLine(line)}. It is in the device's configuration, under \`api: encryption: key:\`.`;
      const key = espHomeKey(await talk.ask({ ask: "password", text }));
      if (key === undefined) throw new SetupFailed("That is not a key. A key has 44 characters and ends with =.");
      talk.tell("The key is being tried.", TRYING_S);
      const keyName = keyNameOf(line);
      await tried(line, keyName, new Secret(key), keys, talk.signal);
      await keys.keep(keyName);
      talk.found({ edgeId: line.known?.edgeId, name: nameOfLine(line) });
    },
  };
}

/** @throws SetupFailed, the signal's reason; the previous key is then restored */
async function tried(line: EspHomeLine, name: string, key: Secret, keys: KeptSecrets, signal: AbortSignal) {
  const before = keys.of(name);
  keys.use(name, key);
  const outcome = line.outcome(signal);
  line.poke();
  const result = await outcome.catch((failure: unknown) => {
    keys.use(name, before);
    throw failure;
  });
  if (result === "connected" || result.kind === "awaits_admission" || result.kind === "not_admitted") return;
  keys.use(name, before);
  throw new SetupFailed(result.kind === "wrong_key" ? "The key is wrong." : result.message);
}

async function chosen(locked: readonly EspHomeLine[], talk: SetupTalk): Promise<EspHomeLine> {
  const [only] = locked;
  if (only && locked.length === 1) return only;
  const choices = locked.map(nameOfLine);
  const answer = await talk.ask({ ask: "choice", text: "Which one?", choices });
  const found = locked[choices.indexOf(answer)];
  if (!found) throw new SetupFailed("There is no such device.");
  return found;
}

/** Includes the edgeId, because two devices may share a name. */
function nameOfLine({ known, place }: EspHomeLine): string {
  if (!known) return place.name;
  return `${known.about.name ?? known.about.model ?? place.name} (${known.edgeId})`;
}
