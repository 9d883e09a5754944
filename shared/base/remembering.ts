/** A longer text is no cell that repeats, and would fill the memory. */
const longest = 100

/** The same function of a text, which remembers the answers to as many as `most` texts: cells of a file repeat. It may answer anything but undefined. */
export const remembering = <Answer>(answerTo: (text: string) => Answer, most = 1_000): ((text: string) => Answer) => {
  const known = new Map<string, Answer>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const answer = answerTo(text)
    if (text.length > longest) return answer
    if (known.size >= most) known.clear()
    known.set(text, answer)
    return answer
  }
}

/** The same function of a text, which remembers its last answer: for several checks of the same cell. */
export const rememberingLast = <Answer>(answerTo: (text: string) => Answer): ((text: string) => Answer) => {
  let last: { readonly text: string; readonly answer: Answer } | null = null
  return (text) => {
    if (last?.text !== text) last = { text, answer: answerTo(text) }
    return last.answer
  }
}
