/** A drifting point; positions in px, speeds in px per second. */
export type Particle = { x: number; y: number; readonly dx: number; readonly dy: number; readonly radius: number }

const fastest = 14
const smallest = 1.4
const largest = 3

/** Spreads particles over an area; `random` returns numbers from 0 to below 1. */
export const scatter = (count: number, width: number, height: number, random: () => number): Particle[] =>
  Array.from({ length: count }, () => ({
    x: random() * width,
    y: random() * height,
    dx: (random() * 2 - 1) * fastest,
    dy: (random() * 2 - 1) * fastest,
    radius: smallest + random() * (largest - smallest),
  }))

/** Moves particles by a number of seconds; they wrap around at the edges. */
export const drift = (particles: readonly Particle[], seconds: number, width: number, height: number): void => {
  for (const particle of particles) {
    particle.x = wrapped(particle.x + particle.dx * seconds, width)
    particle.y = wrapped(particle.y + particle.dy * seconds, height)
  }
}

const wrapped = (at: number, size: number): number => (size === 0 ? 0 : ((at % size) + size) % size)
