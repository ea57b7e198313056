class_name NpcMsgpack
extends RefCounted
## MessagePack for the npc-memory wire: null, bool, int, float, String, Array, Dictionary.
##
## Encodes canonically (the shortest form of every integer, text and container; floats as 64
## bits), so decoding a frame of the bridge and encoding it again gives the same bytes. Prefer it
## to JSON: Godot's JSON has only floats, and an integer beyond 2^53 loses its last digits in it.
## Refuses what the wire does not carry, in both directions. The one exception is U+0000, which a
## Godot String cannot hold: it is read as U+FFFD. (The bridge never sends one.)

## The wire carries at most so many levels of arrays and dictionaries.
const MAX_DEPTH := 16

## Why [method read] or [method write] failed; empty when it did not.
var error := ""

var _buffer := StreamPeerBuffer.new()


func _init(bytes := PackedByteArray()) -> void:
	_buffer.big_endian = true
	_buffer.data_array = bytes


## The bytes of a value; empty for what the wire does not carry ([method write] tells why).
static func encode(value: Variant) -> PackedByteArray:
	return NpcMsgpack.new().write(value)


## A decoder for one frame: call [method read], then look at [member error].
static func decoder(bytes: PackedByteArray) -> NpcMsgpack:
	return NpcMsgpack.new(bytes)


## The bytes of a value; empty, with [member error] set, for what the wire does not carry.
func write(value: Variant) -> PackedByteArray:
	_put(value, 0)
	return PackedByteArray() if error else _buffer.data_array


## The value; null, with [member error] set, for bytes that are no frame.
func read() -> Variant:
	var value: Variant = _get_value(0)
	if not error and _left() != 0:
		error = "bytes behind the value"
	return null if error else value


func _put(value: Variant, depth: int) -> void:
	if error:
		return
	match typeof(value):
		TYPE_NIL:
			_buffer.put_u8(0xc0)
		TYPE_BOOL:
			_buffer.put_u8(0xc3 if value else 0xc2)
		TYPE_INT:
			_put_integer(value)
		TYPE_FLOAT:
			_finite(value)
			_buffer.put_u8(0xcb)
			_buffer.put_double(value)
		TYPE_STRING, TYPE_STRING_NAME:
			_put_text(str(value))
		TYPE_ARRAY:
			_put_size(value.size(), 0x90, 0xdc, depth)
			for each: Variant in value:
				_put(each, depth + 1)
		TYPE_DICTIONARY:
			_put_size(value.size(), 0x80, 0xde, depth)
			for key: Variant in value:
				_put_key(key)
				_put(value[key], depth + 1)
		_:
			error = "the wire does not carry %s" % type_string(typeof(value))


func _put_integer(n: int) -> void:
	if n >= 0:
		if n < 0x80:
			_buffer.put_u8(n)
		elif n <= 0xff:
			_buffer.put_u8(0xcc)
			_buffer.put_u8(n)
		elif n <= 0xffff:
			_buffer.put_u8(0xcd)
			_buffer.put_u16(n)
		elif n <= 0xffffffff:
			_buffer.put_u8(0xce)
			_buffer.put_u32(n)
		else:
			_buffer.put_u8(0xcf)
			_buffer.put_64(n)
	elif n >= -32:
		_buffer.put_8(n)
	elif n >= -0x80:
		_buffer.put_u8(0xd0)
		_buffer.put_8(n)
	elif n >= -0x8000:
		_buffer.put_u8(0xd1)
		_buffer.put_16(n)
	elif n >= -0x80000000:
		_buffer.put_u8(0xd2)
		_buffer.put_32(n)
	else:
		_buffer.put_u8(0xd3)
		_buffer.put_64(n)


func _put_key(key: Variant) -> void:
	if key is String or key is StringName:
		_put_text(str(key))
	else:
		error = "a key is %s, not text" % type_string(typeof(key))


func _put_text(text: String) -> void:
	var bytes := text.to_utf8_buffer()
	var size := bytes.size()
	if size < 32:
		_buffer.put_u8(0xa0 | size)
	elif size <= 0xff:
		_buffer.put_u8(0xd9)
		_buffer.put_u8(size)
	elif size <= 0xffff:
		_buffer.put_u8(0xda)
		_buffer.put_u16(size)
	else:
		_buffer.put_u8(0xdb)
		_buffer.put_u32(size)
	_buffer.put_data(bytes)


func _put_size(size: int, tiny: int, wide: int, depth: int) -> void:
	_deeper(depth)
	if size < 16:
		_buffer.put_u8(tiny | size)
	elif size <= 0xffff:
		_buffer.put_u8(wide)
		_buffer.put_u16(size)
	else:
		_buffer.put_u8(wide + 1)
		_buffer.put_u32(size)


func _get_value(depth: int) -> Variant:
	if error or not _has(1):
		return null
	var tag := _buffer.get_u8()
	if tag < 0x80 or tag >= 0xe0:
		return tag if tag < 0x80 else tag - 0x100
	if tag < 0xa0:
		return _get_map(tag & 0x0f, depth) if tag < 0x90 else _get_list(tag & 0x0f, depth)
	if tag < 0xc0:
		return _get_text(tag & 0x1f)
	return _get_tagged(tag, depth)


func _get_tagged(tag: int, depth: int) -> Variant:
	var value: Variant = null
	match tag:
		0xc0:
			value = null
		0xc2:
			value = false
		0xc3:
			value = true
		0xca, 0xcb:
			value = _get_float(tag)
		0xcc, 0xcd, 0xce, 0xcf:
			value = _get_size(1 << (tag - 0xcc))
		0xd0, 0xd1, 0xd2, 0xd3:
			value = _get_signed(1 << (tag - 0xd0))
		0xd9, 0xda, 0xdb:
			value = _get_text(_get_size(1 << (tag - 0xd9)))
		0xdc, 0xdd:
			value = _get_list(_get_size(2 << (tag - 0xdc)), depth)
		0xde, 0xdf:
			value = _get_map(_get_size(2 << (tag - 0xde)), depth)
		_:
			error = "a tag the wire does not use: 0x%x" % tag
	return value


func _get_float(tag: int) -> float:
	if not _has(4 if tag == 0xca else 8):
		return 0.0
	return _finite(_buffer.get_float() if tag == 0xca else _buffer.get_double())


func _get_size(bytes: int) -> int:
	if not _has(bytes):
		return 0
	match bytes:
		1:
			return _buffer.get_u8()
		2:
			return _buffer.get_u16()
		4:
			return _buffer.get_u32()
	var n := _buffer.get_64()
	if n < 0:
		error = "an integer beyond 64 bits with sign"
	return n


func _get_signed(bytes: int) -> int:
	if not _has(bytes):
		return 0
	match bytes:
		1:
			return _buffer.get_8()
		2:
			return _buffer.get_16()
		4:
			return _buffer.get_32()
	return _buffer.get_64()


func _get_text(size: int) -> String:
	if size == 0 or not _has(size):
		return ""
	var bytes: PackedByteArray = _buffer.get_data(size)[1]
	if not bytes.has(0):
		return _text(bytes)
	var pieces: PackedStringArray = []
	var from := 0
	while from <= size:
		var nul := bytes.find(0, from)
		var to := nul if nul >= 0 else size
		pieces.append(_text(bytes.slice(from, to)))
		from = to + 1
	return String.chr(0xfffd).join(pieces)


# Godot takes a byte order mark off the front of what it decodes, and mends what is no UTF-8.
func _text(bytes: PackedByteArray) -> String:
	var text := bytes.get_string_from_utf8()
	if bytes.size() >= 3 and bytes[0] == 0xef and bytes[1] == 0xbb and bytes[2] == 0xbf:
		text = String.chr(0xfeff) + text
	if text.to_utf8_buffer() != bytes:
		error = "a text is not UTF-8"
	return text


func _get_list(size: int, depth: int) -> Array:
	var list := []
	_deeper(depth)
	for i in size:
		if error:
			break
		list.append(_get_value(depth + 1))
	return list


func _get_map(size: int, depth: int) -> Dictionary:
	var map := {}
	_deeper(depth)
	for i in size:
		if error:
			break
		var key: Variant = _get_value(MAX_DEPTH)
		if not key is String:
			error = error if error else "a map key that is no text"
			break
		if map.has(key):
			error = "a key stands twice in one map"
			break
		map[key] = _get_value(depth + 1)
	return map


func _deeper(depth: int) -> void:
	if depth >= MAX_DEPTH:
		error = "more than %d levels" % MAX_DEPTH


func _finite(number: float) -> float:
	if not is_finite(number):
		error = "%s is no finite number" % number
	return number


func _has(bytes: int) -> bool:
	if bytes > _left():
		error = "the frame ends too early"
	return not error


func _left() -> int:
	return _buffer.get_size() - _buffer.get_position()
