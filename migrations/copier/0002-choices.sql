-- Choices that groups and followers did not have: what they did until now.
UPDATE groups SET draft = json_set(
  draft,
  '$.mode', 'fills',
  '$.unprotected', 'keep',
  '$.leftExits', 'keep',
  '$.followers', (
    SELECT json_group_array(json_set(follower.value, '$.invert', json('false'), '$.guard', json('false')))
    FROM json_each(draft, '$.followers') AS follower
  )
);
