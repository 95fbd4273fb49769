/** What every control is given, whichever it is. */

export interface ControlProps {
  /** Names the control, for who cannot see what it stands beside: "Switch on". */
  readonly label: string;
  /** What is asked for while something is pending, else what the device said; undefined while there is none. */
  readonly value: unknown;
  /** What the device said last. */
  readonly known: unknown;
  readonly isPending: boolean;
  readonly unit?: string | undefined;
  /** The value, in words. */
  readonly words: (value: unknown) => string;
  /** Asks for a value: as often as a hand moves. */
  readonly onAsk: (value: unknown) => void;
}
