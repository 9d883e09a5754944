import { useAppearance } from '#renderer/lib/theme.ts'
import { useEffect, useRef } from 'react'

const count = 56
const reach = 120
// After a pause, for example in a hidden window, the animation continues where it stopped.
const longestStepSeconds = 0.05

/** Points that drift over their container, with lines between close ones; they are still if the user prefers reduced motion. */
export const ParticleField = () => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { shown } = useAppearance()
  useEffect(() => (canvas.current === null ? undefined : animate(canvas.current)), [shown])
  return <canvas ref={canvas} aria-hidden data-testid="particles" className="pointer-events-none absolute inset-0 size-full text-accent" />
}

/** Animates the field until the returned function is called. A hidden window gets no frames. */
const animate = (canvas: HTMLCanvasElement): (() => void) => {
  const pen = canvas.getContext('2d')
  if (pen === null) return () => undefined
  const color = getComputedStyle(canvas).color
  const still = matchMedia('(prefers-reduced-motion: reduce)')
  let particles: Particle[] = []
  let size = { width: 0, height: 0 }
  let frame = 0
  let last: number | null = null

  const step = (at: number): void => {
    if (last !== null) drift(particles, Math.min((at - last) / 1_000, longestStepSeconds), size.width, size.height)
    last = at
    draw(pen, particles, size, color)
    frame = requestAnimationFrame(step)
  }
  const start = (): void => {
    cancelAnimationFrame(frame)
    last = null
    if (still.matches) draw(pen, particles, size, color)
    else frame = requestAnimationFrame(step)
  }
  const fit = (): void => {
    const { width, height } = canvas.getBoundingClientRect()
    size = { width, height }
    canvas.width = Math.round(width * devicePixelRatio)
    canvas.height = Math.round(height * devicePixelRatio)
    pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
    if (particles.length === 0) particles = scatter(count, width, height, Math.random)
    drift(particles, 0, width, height)
    start()
  }
  const watch = new ResizeObserver(fit)
  watch.observe(canvas)
  still.addEventListener('change', start)
  return () => {
    cancelAnimationFrame(frame)
    watch.disconnect()
    still.removeEventListener('change', start)
  }
}

const draw = (pen: CanvasRenderingContext2D, particles: readonly Particle[], { width, height }: { width: number; height: number }, color: string): void => {
  pen.clearRect(0, 0, width, height)
  pen.fillStyle = color
  pen.strokeStyle = color
  for (const [index, one] of particles.entries()) {
    pen.globalAlpha = 0.95
    pen.beginPath()
    pen.arc(one.x, one.y, one.radius, 0, 2 * Math.PI)
    pen.fill()
    for (const other of particles.slice(index + 1)) {
      const apart = Math.hypot(one.x - other.x, one.y - other.y)
      if (apart >= reach) continue
      pen.globalAlpha = 0.6 * (1 - apart / reach)
      pen.beginPath()
      pen.moveTo(one.x, one.y)
      pen.lineTo(other.x, other.y)
      pen.stroke()
    }
  }
}

/** A drifting point; positions in px, speeds in px per second. */
type Particle = { x: number; y: number; readonly dx: number; readonly dy: number; readonly radius: number }

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
