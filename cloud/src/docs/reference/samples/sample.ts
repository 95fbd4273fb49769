/** A request that can be sent as it stands, once the names in it are filled in; and that text in the three languages. */

/**
 * What the samples of an operation say. `‹name›` anywhere in it stands for something of the reader's own: the portal puts it in, and elsewhere
 * it is shown as `NAME`.
 */
export interface Sample {
  /** Query parameters. */
  readonly query?: Readonly<Record<string, string>>;
  /** Request headers beyond `authorization` and `content-type`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /**
   * The call of the client in TypeScript, after `porchlight.`; `‹body›` is the body. Undefined: the client has no call for it. One that begins with
   * `for await` is a statement.
   */
  readonly typescript?: string;
  /** What has to be there, or to happen, before it succeeds: a sentence. */
  readonly needs?: string;
}

export type Samples = Readonly<Record<string, Sample>>;

/** The four ways in which a kind of object is read, changed and deleted. @param noun as in `listDevices` @param one as in `getDevice` */
export function objectSamples(
  noun: string,
  one: string,
  update: Readonly<Record<string, unknown>>,
  filter?: string,
): Samples {
  const member = noun.charAt(0).toLowerCase() + noun.slice(1);
  const id = `‹${one.charAt(0).toLowerCase()}${one.slice(1)}Id›`;
  const list = filter ? `{ ${filter}: "‹${filter}›" }` : "";
  return {
    [`list${noun}`]: {
      ...(filter && { query: { [filter]: `‹${filter}›` } }),
      typescript: `${member}.list(${list}).all()`,
    },
    [`get${one}`]: { typescript: `${member}.get("${id}")` },
    [`update${one}`]: { body: update, typescript: `${member}.update("${id}", ‹body›)` },
    [`delete${one}`]: { typescript: `${member}.delete("${id}")` },
  };
}

/** Tokens of what has tokens. @param one as in `createUserToken` */
export function tokenSamples(noun: string, one: string, body: Readonly<Record<string, unknown>>): Samples {
  const id = `‹${one.toLowerCase()}Id›`;
  const argument = Object.keys(body).length > 0 ? ", ‹body›" : "";
  return {
    [`list${one}Tokens`]: { typescript: `${noun}.tokens("${id}").all()` },
    [`create${one}Token`]: { body, typescript: `${noun}.createToken("${id}"${argument})` },
    [`delete${one}Token`]: { typescript: `${noun}.deleteToken("${id}", "‹${one.toLowerCase()}TokenId›")` },
  };
}
