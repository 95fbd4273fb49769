/** Light, dark, or as the system has it: kept in this browser. */
import { SegmentedControl, useMantineColorScheme } from "@mantine/core";

const CHOICES = [
  { value: "auto", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;

export function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      size="xs"
      fullWidth
      aria-label="Theme"
      data={[...CHOICES]}
      value={colorScheme}
      onChange={(next) => setColorScheme(CHOICES.find(({ value }) => value === next)?.value ?? "auto")}
    />
  );
}
