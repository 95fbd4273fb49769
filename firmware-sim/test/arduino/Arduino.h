/* As much of Arduino as the sketch uses, over stdin and stdout and a clock that a call moves on: so that the sketch runs on a desk. */
#ifndef ARDUINO_H
#define ARDUINO_H
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { LOW, HIGH, OUTPUT, INPUT_PULLUP, A0, LED_BUILTIN = 13 };

static inline uint32_t micros() {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint32_t)(now.tv_sec * 1000000 + now.tv_nsec / 1000);
}
static inline uint32_t millis() {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint32_t)(now.tv_sec * 1000 + now.tv_nsec / 1000000);
}
static inline void pinMode(int, int) {}
static inline void analogWrite(int, int) {}
static inline int analogRead(int) { return 512; }
static inline int digitalRead(int) { return HIGH; }

struct SerialPort {
  void begin(long) {}
  int available() {
    struct pollfd input = {STDIN_FILENO, POLLIN, 0};
    return poll(&input, 1, 5) == 1;
  }
  int read() {
    unsigned char byte;
    if (::read(STDIN_FILENO, &byte, 1) != 1) exit(0);
    return byte;
  }
  void write(uint8_t byte) {
    if (::write(STDOUT_FILENO, &byte, 1) != 1) exit(0);
  }
};
static SerialPort Serial;
#endif
