/* What Arduino makes of a sketch: its header before it, and a main that calls setup and loop. */
#include "Arduino.h"
#include "../../../firmware/examples/PorchlightLamp/PorchlightLamp.ino"

int main() {
  setup();
  for (;;) loop();
}
