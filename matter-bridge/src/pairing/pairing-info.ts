/** How a controller is paired with the bridge, and which are: what people are shown of it. */

export interface PairedController {
  /** Its vendor's number: 4937 is Apple, 24582 Google. */
  readonly vendorId: number;
  /** What it calls its home. */
  readonly label: string;
}

/** `waiting`: the codes pair the first controller; `paired`: a controller shares it with the next. */
export type PairingInfo =
  | {
      readonly state: "waiting";
      /** The text of the QR code, `MT:…`. */
      readonly qrCode: string;
      /** Eleven digits. */
      readonly manualCode: string;
      readonly controllers: readonly PairedController[];
    }
  | { readonly state: "paired"; readonly controllers: readonly PairedController[] };
