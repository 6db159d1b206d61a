/** Names of some landmarks of faces, hands and bodies. */

/** Named points of the face mesh. Left and right are those of the person. */
export const FACE_NAMES: ReadonlyMap<number, string> = new Map([
  [1, 'Tip of the nose'],
  [33, 'Right eye, outer corner'],
  [133, 'Right eye, inner corner'],
  [362, 'Left eye, inner corner'],
  [263, 'Left eye, outer corner'],
  [61, 'Right corner of the mouth'],
  [291, 'Left corner of the mouth'],
  [10, 'Top of the face'],
  [152, 'Chin'],
]);

/** Named points of a hand. */
export const HAND_NAMES: ReadonlyMap<number, string> = new Map([
  [0, 'Wrist'],
  [4, 'Tip of the thumb'],
  [8, 'Tip of the index finger'],
  [12, 'Tip of the middle finger'],
  [16, 'Tip of the ring finger'],
  [20, 'Tip of the little finger'],
]);

/** Named points of a body. Left and right are those of the person. */
export const POSE_NAMES: ReadonlyMap<number, string> = new Map([
  [0, 'Nose'],
  [11, 'Left shoulder'],
  [12, 'Right shoulder'],
  [13, 'Left elbow'],
  [14, 'Right elbow'],
  [15, 'Left wrist'],
  [16, 'Right wrist'],
  [23, 'Left hip'],
  [24, 'Right hip'],
  [25, 'Left knee'],
  [26, 'Right knee'],
  [27, 'Left ankle'],
  [28, 'Right ankle'],
]);
