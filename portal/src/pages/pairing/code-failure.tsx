/** Why there is nothing to approve, and what can be done: wait and try again, or another code. */
import { Button, Stack, Text } from "@mantine/core";
import { Failure } from "../../kit/display/failure.tsx";
import { useCountdown } from "../../kit/forms/countdown.ts";

interface CodeFailureProps {
  readonly error: Error;
  readonly onRetry: () => void;
  readonly onAnother: () => void;
}

export function CodeFailure({ error, onRetry, onAnother }: CodeFailureProps) {
  const wait = useCountdown(error);
  return (
    <Stack align="flex-start">
      <Failure error={error} {...(wait === 0 && { retry: onRetry })} />
      {wait > 0 && <Text role="status">Try again in {wait} s.</Text>}
      <Button variant="default" onClick={onAnother}>
        Enter another code
      </Button>
    </Stack>
  );
}
