import { roomOf, shownEnd } from '#renderer/lib/cut-name.ts'

/** An account's name, cut in the middle if there is no room: a firm's accounts differ at the end, and begin with the firm. The whole name is its title. */
export const CutName = ({ name }: { name: string }) => {
  const [begin, end] = shownEnd(name)
  const room = `${String(roomOf(end))}em`
  return (
    <span title={name} className="block overflow-hidden text-left text-ellipsis whitespace-pre proportional-nums">
      <bdi>
        {end === '' ? (
          begin
        ) : (
          // Inline boxes, so that copying gives the name in one piece. A screen reader may pause between them, so do not use it as the name of a link or button.
          <>
            <span className="inline-block overflow-hidden align-bottom text-ellipsis" style={{ maxWidth: `calc(100% - ${room})` }}>
              {begin}
            </span>
            <span className="inline-block align-bottom" style={{ minWidth: room }}>
              {end}
            </span>
          </>
        )}
      </bdi>
    </span>
  )
}
