import { app } from 'electron'
import { linkAmong } from './deep-link.ts'
import { hiddenArgument } from './login-item.ts'

/** Watches from the first moment for what comes from outside; `hear` gets each arrival, those before it too: a link, or null where somebody only wants the window. */
export const watchArrivals = (): { readonly hear: (take: (link: string | null) => void) => void } => {
  const waiting: (string | null)[] = []
  let heard = false
  let arrive = (link: string | null): void => void waiting.push(link)
  const first = linkAmong(process.argv)
  if (first !== null) arrive(first)
  // macOS hands links over by an event, the others start the program once more.
  app.on('open-url', (event, link) => {
    event.preventDefault()
    arrive(link)
  })
  app.on('second-instance', (_event, words) => {
    // The system starting it once more wants no window.
    if (!words.includes(hiddenArgument)) arrive(linkAmong(words))
  })
  // macOS tells of the start itself too, which may be hidden.
  app.on('activate', () => {
    if (heard) arrive(null)
  })
  return {
    hear: (take) => {
      heard = true
      arrive = take
      for (const link of waiting.splice(0)) take(link)
    },
  }
}
