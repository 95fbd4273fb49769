/** The Mantine theme: neutral slate, one warm accent, dense but quiet. */
import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from "@mantine/core";

const slate: MantineColorsTuple = [
  "#f1f4f7",
  "#e4e9ef",
  "#d5dce4",
  "#b9c4d0",
  "#8b99a9",
  "#66758a",
  "#4b5868",
  "#323d4b",
  "#1a212b",
  "#11161d",
];
/** Mantine's dark palette, from text to background. */
const night: MantineColorsTuple = [
  "#e4e9ef",
  "#cfd7e0",
  "#a4b0be",
  "#7e8b9b",
  "#4a5666",
  "#323d4b",
  "#1a212b",
  "#11161d",
  "#0c1016",
  "#080b10",
];
const amber: MantineColorsTuple = [
  "#fff6e5",
  "#fdeac8",
  "#fad592",
  "#f7bd58",
  "#f5a524",
  "#e08f0f",
  "#c87509",
  "#b45309",
  "#92400e",
  "#78350f",
];
const good: MantineColorsTuple = [
  "#e7f8ee",
  "#cdefdc",
  "#9bdfb9",
  "#63cd92",
  "#34b870",
  "#1f9d5a",
  "#178049",
  "#12683b",
  "#0e522f",
  "#093b21",
];
const bad: MantineColorsTuple = [
  "#fdecec",
  "#fad5d5",
  "#f3a9a9",
  "#ee7d7d",
  "#f87171",
  "#dc2626",
  "#c81e1e",
  "#b01818",
  "#931414",
  "#6f0f0f",
];

/**
 * Mantine takes the text colour of filled elements from the light scheme; here it follows the current scheme: light on dark or dark on
 * light.
 */
const readable: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  return input.variant === "filled" ? { ...colors, color: "var(--on-accent)" } : colors;
};

export const theme = createTheme({
  variantColorResolver: readable,
  primaryColor: "amber",
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  colors: { amber, good, bad, gray: slate, dark: night, red: bad, green: good },
  fontFamily: '"Inter Variable", system-ui, sans-serif',
  fontFamilyMonospace: '"JetBrains Mono Variable", ui-monospace, monospace',
  headings: {
    fontWeight: "600",
    sizes: { h1: { fontSize: "1.5rem" }, h2: { fontSize: "1.125rem" }, h3: { fontSize: "1rem" } },
  },
  defaultRadius: "sm",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Modal: { defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.4 } } },
    // The header of a dialog must not be a second banner landmark of the page.
    ModalHeader: { defaultProps: { role: "presentation" } },
    Tooltip: { defaultProps: { openDelay: 300, multiline: true, maw: 320 } },
  },
});

/** Mantine's variables in both schemes; the values match `tokens.css`. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#fbfcfd",
    "--mantine-color-text": "#17202b",
    "--mantine-color-dimmed": "#4b5868",
    "--mantine-color-anchor": "#b45309",
    "--mantine-color-error": "#b01818",
    "--mantine-color-placeholder": "#66758a",
    "--mantine-color-default-border": "#d5dce4",
  },
  dark: {
    "--mantine-color-body": "#11161d",
    "--mantine-color-text": "#e4e9ef",
    "--mantine-color-dimmed": "#a4b0be",
    "--mantine-color-anchor": "#f5a524",
    "--mantine-color-error": "#f87171",
    "--mantine-primary-color-contrast": "#17202b",
    "--mantine-color-placeholder": "#8b99a9",
    "--mantine-color-default-border": "#323d4b",
  },
});
