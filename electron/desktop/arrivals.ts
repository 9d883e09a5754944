import { app } from 'electron'
import { linkIn } from './deep-link.ts'
import { hiddenArgument } from './login-item.ts'

/** Collects deep links and activations from program start; `listen` gets each one, including earlier ones: a link, or null to only show the window. */
export const watchArrivals = (): { readonly listen: (take: (link: string | null) => void) => void } => {
  const waiting: (string | null)[] = []
  let listening = false
  let arrive = (link: string | null): void => void waiting.push(link)
  const first = linkIn(process.argv)
  if (first !== null) arrive(first)
  // macOS sends links as an event; Windows and Linux start a second instance.
  app.on('open-url', (event, link) => {
    event.preventDefault()
    arrive(link)
  })
  app.on('second-instance', (_event, words) => {
    // A hidden start by the system must not open the window.
    if (!words.includes(hiddenArgument)) arrive(linkIn(words))
  })
  // macOS also activates at the start itself, which may be hidden.
  app.on('activate', () => {
    if (listening) arrive(null)
  })
  return {
    listen: (take) => {
      listening = true
      arrive = take
      for (const link of waiting.splice(0)) take(link)
    },
  }
}
