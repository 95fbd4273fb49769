/** A service that is announced on the network (RFC 6763). */
export interface NetworkService {
  readonly instance: string;
  readonly address: string;
  readonly port: number;
  readonly txt: Readonly<Record<string, string>>;
}

/** Services of one type, as they are announced now. */
export interface NetworkServices {
  current(): readonly NetworkService[];
  subscribe(listener: () => void): Disposable;
}
