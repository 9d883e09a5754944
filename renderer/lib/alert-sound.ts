const tones = [{ at: 0, hertz: 880 }, { at: 0.16, hertz: 660 }] as const
const toneSeconds = 0.14
const loudness = 0.2
const latestMs = 2_000

let context: AudioContext | null = null

/** Plays two short synthesized tones. A browser keeps a page silent until the user clicks or types. */
export const playAlertSound = async (): Promise<void> => {
  context ??= new AudioContext()
  const sounding = context
  const asked = performance.now()
  if (sounding.state === 'suspended') await sounding.resume()
  // If it had to wait for a click, it is too late to be useful.
  if (performance.now() > asked + latestMs) return
  const now = sounding.currentTime
  for (const { at, hertz } of tones) {
    const tone = new OscillatorNode(sounding, { type: 'triangle', frequency: hertz })
    const volume = new GainNode(sounding, { gain: 0 })
    // A tone that begins or ends at full volume clicks.
    volume.gain.setTargetAtTime(loudness, now + at, 0.01)
    volume.gain.setTargetAtTime(0, now + at + toneSeconds * 0.7, 0.02)
    tone.connect(volume).connect(sounding.destination)
    tone.start(now + at)
    tone.stop(now + at + toneSeconds)
  }
}
